# Bash completion for mluop. Names of operators, cases and implementations come from the installed program.

# Words of one kind: ops, cases OPERATORS, dtypes, impls, isas.
_mluop_names() {
  case $1 in
    ops) "${words[0]}" list 2>/dev/null | awk 'NF == 0 { exit } NR > 1 { print $1 }' ;;
    dtypes) echo all float half double bfloat16 int32 ;;
    impls)
      echo all
      "${words[0]}" list 2>/dev/null |
        awk 'NF == 0 { ++part; next } part == 1 && !/^  operator/ && !/^  [A-Z]/ { print($1 in ops ? $2 : $1) }
             part == 0 { ops[$1] }' | grep -v '[()]' | sort -u
      ;;
    isas) echo all generic sse4 avx2 avx512 amx neon ;;
    cases)
      echo all network edge
      "${words[0]}" list --cases 2>/dev/null | awk -v wanted=",$2," '
        /^[a-z]/ { here = wanted == ",," || index(wanted, "," $1 ",") > 0 }
        here && ($2 == "network" || $2 == "edge") { print $1 }' | sort -u
      ;;
  esac
}

# Completes the last item of a list separated by commas.
_mluop_list() {
  local before=""
  [[ $cur == *,* ]] && before=${cur%,*},
  mapfile -t COMPREPLY < <(compgen -P "$before" -W "$1" -- "${cur##*,}")
  compopt -o nospace
}

# The options that the program's own help names for a command.
_mluop_options() {
  "${words[0]}" ${1:+"$1"} --help 2>/dev/null | grep -oE -e '(^|[ ,])--?[a-z][a-z-]*' | tr -d ' ,' | sort -u
}

_mluop_commands() {
  "${words[0]}" --help 2>/dev/null | awk '/^Subcommands:/ { inside = 1; next } inside && /^  [a-z]/ { print $1 } inside && NF == 0 { exit }'
}

_mluop() {
  local words=("${COMP_WORDS[@]}") cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]}
  local command=${COMP_WORDS[1]} ops="" i
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    mapfile -t COMPREPLY < <(compgen -W "$(_mluop_commands) --help" -- "$cur")
    return
  fi
  for ((i = 2; i < COMP_CWORD; ++i)); do
    [[ ${COMP_WORDS[i]} == --op ]] && ops=${COMP_WORDS[i + 1]}
  done
  case $prev in
    --op) _mluop_list "$(_mluop_names ops)" ;;
    --case) _mluop_list "$(_mluop_names cases "$ops")" ;;
    --dtype) _mluop_list "$(_mluop_names dtypes)" ;;
    --impl) _mluop_list "$(_mluop_names impls)" ;;
    --isa) _mluop_list "$(_mluop_names isas)" ;;
    --threads) _mluop_list "1 2 $(nproc 2>/dev/null)" ;;
    --repeat | --seconds) mapfile -t COMPREPLY < <(compgen -W "1 5" -- "$cur") ;;
    --timeout) mapfile -t COMPREPLY < <(compgen -W "0 60 600" -- "$cur") ;;
    --scene) mapfile -t COMPREPLY < <(compgen -W "centerpoint small" -- "$cur") ;;
    --out) mapfile -t COMPREPLY < <(compgen -d -- "$cur") && compopt -o filenames ;;
    --json | --compare) mapfile -t COMPREPLY < <(compgen -f -- "$cur") && compopt -o filenames ;;
    *)
      if [[ $cur == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$(_mluop_options "$command")" -- "$cur")
      else
        mapfile -t COMPREPLY < <(compgen -f -- "$cur") && compopt -o filenames
      fi
      ;;
  esac
}
complete -F _mluop mluop
