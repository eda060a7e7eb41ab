# Bash completion for mluop. The program itself says what may follow.

_mluop() {
  local line cur=${COMP_WORDS[COMP_CWORD]} files="" open="" word prefix
  # Bash cuts words at "=", the program does not.
  local typed=${COMP_LINE:0:COMP_POINT} words
  read -ra words <<<"$typed"
  [[ $typed == *[[:space:]] ]] && words+=("")
  word=${words[${#words[@]} - 1]}
  [[ $cur == = ]] && cur=""
  prefix=${word%"$cur"}

  COMPREPLY=()
  while IFS= read -r line; do
    case $line in
      :open) open=yes ;;
      :*) files=${line#:} ;;
      *) line=${line%%$'\t'*} && COMPREPLY+=("${line#"$prefix"}") ;;
    esac
  done < <("${words[0]/#\~/$HOME}" __complete "${words[@]:1}" 2>/dev/null)
  [[ $open ]] && compopt -o nospace

  case $files in
    files) mapfile -t COMPREPLY < <(compgen -f -- "$cur") ;;
    folders) mapfile -t COMPREPLY < <(compgen -d -- "$cur") ;;
    cases)
      mapfile -t COMPREPLY < <(compgen -d -- "$cur"; compgen -f -X '!*.prototxt' -- "$cur"; compgen -f -X '!*.pb' -- "$cur")
      ;;
  esac
  [[ $files ]] && compopt -o filenames
  return 0
}
complete -F _mluop mluop
