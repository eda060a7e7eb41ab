# Bash completion of mluop: commands, options, operators, cases, files.
set -eu
rm -rf "$WORK" && mkdir -p "$WORK"
if ! command -v bash >/dev/null; then
  echo "skipped: there is no bash"
  exit 77
fi
ln -s "$MLUOP" "$WORK/mluop"
: >"$WORK/rows.json"

# offers 'LINE' WORD…: completing the line offers every word.
offers() {
  line=$1
  shift
  bash -c '
    compopt() { :; }  # exists only during completion
    . "$1/completions/mluop.bash"
    PATH=$2:$PATH
    cd "$2"
    read -ra COMP_WORDS <<<"$3"
    [[ $3 == *" " ]] && COMP_WORDS+=("")
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
    _mluop
    printf "%s\n" "${COMPREPLY[@]}"' _ "$PWD" "$WORK" "$line" >"$WORK/offered"
  for word in "$@"; do
    if ! grep -qxF -e "$word" "$WORK/offered"; then
      echo "'$line' does not offer '$word' but:"
      cat "$WORK/offered"
      exit 1
    fi
  done
}

# withholds WORD: the last line did not offer it.
withholds() {
  if grep -qxF -e "$1" "$WORK/offered"; then
    echo "'$1' is offered where it does not belong:"
    cat "$WORK/offered"
    exit 1
  fi
}

offers "mluop " list info accept bench bits encoder threads
offers "mluop be" bench
withholds list
offers "mluop bench --" --op --case --dtype --threads --impl --isa --json --compare
offers "mluop accept --" --quick --out --json
withholds --compare
offers "mluop bits --" --op --case --dtype --compare
offers "mluop bits --compare r" rows.json
offers "mluop run --" --timeout --allow-outside --json
offers "mluop run --timeout " 0 600
offers "mluop bench --op " get_indice_pairs carafe_forward rotated_feature_align_backward
offers "mluop bench --op carafe_forward,ro" carafe_forward,roiaware_pool3d_forward
offers "mluop bench --op carafe_forward --case " network fpn_p3
withholds centerpoint_subm1
offers "mluop bench --case centerpoint_s" centerpoint_subm1
offers "mluop bench --dtype b" bfloat16
offers "mluop bench --impl g" general
offers "mluop bench --isa g" generic
offers "mluop bench --compare r" rows.json
