#compdef mluop
# Zsh completion for mluop. The program itself says what may follow.

_mluop() {
  local line files
  local -a found lines suffix
  lines=("${(@f)$(${~words[1]} __complete "${(@Q)words[2,CURRENT-1]}" "$PREFIX" 2>/dev/null)}")
  for line in $lines; do
    case $line in
      (:open) suffix=(-S '') ;;
      (:*) files=${line#:} ;;
      # _describe takes "word:description".
      (*) found+=("${${line%%$'\t'*}//:/\\:}:${line#*$'\t'}") ;;
    esac
  done
  case $files in
    (files) compset -P '*=' ; _files ;;
    (folders) compset -P '*=' ; _files -/ ;;
    (cases) _files -g '*.(prototxt|pb)(-.)' ;;
    (*) (( $#found )) && _describe -t words 'mluop' found "${(@)suffix}" ;;
  esac
}

# Autoloaded from a folder of completions, the file is the function; sourced, it registers it.
if [[ $funcstack[1] == _mluop ]]; then
  _mluop "$@"
else
  compdef _mluop mluop
fi
