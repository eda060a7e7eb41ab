# Completion of mluop in bash, zsh and fish: commands, options, values, files. The program answers, the scripts
# in completions/ pass its answers to the shells.
set -eu
. tests/program/drive_mluop.sh
. tests/python.sh
mkdir "$WORK/bin" "$WORK/here" "$WORK/here/folder" "$WORK/zsh"
ln -s "$MLUOP" "$WORK/bin/mluop"
: >"$WORK/here/rows.json"
: >"$WORK/here/case.prototxt"
: >"$WORK/here/case.pb"
cp completions/mluop.zsh "$WORK/zsh/_mluop"
offered=$WORK/offered root=$PWD

# Each writes to $offered what its shell offers for a line.
by_bash() {
  bash -c '
    compopt() { :; }  # exists only during completion
    . "$1/completions/mluop.bash"
    PATH=$2/bin:$PATH
    cd "$2/here"
    # As readline does: words end at blanks and around "=".
    COMP_LINE=$3 COMP_POINT=${#3}
    read -ra COMP_WORDS <<<"${3//=/ = }"
    [[ $3 == *" " ]] && COMP_WORDS+=("")
    COMP_CWORD=$((${#COMP_WORDS[@]} - 1))
    _mluop
    printf "%s\n" "${COMPREPLY[@]}"' _ "$PWD" "$WORK" "$1" >"$offered"
}
by_fish() {
  (cd "$WORK/here" && PATH=$WORK/bin:$PATH HOME=$WORK fish --no-config -c 'source $argv[1]; complete -C $argv[2]' \
    "$root/completions/mluop.fish" "$1") | cut -f1 | sed 's|/$||' >"$offered"
}
by_zsh() {
  (cd "$WORK/here" && "$PYTHON" "$root/tests/program/zsh_completion.py" "$WORK/zsh" "$WORK/bin" "$1") >"$WORK/screen"
  # Words of the list that zsh shows, and the line itself.
  tr -s ' ' '\n' <"$WORK/screen" | sed 's/|$//; s|/$||' >"$offered"
}

# offers LINE WORD…: every shell offers all of the words; a word that begins with ! is offered by none.
offers() {
  line=$1
  shift
  for shell in $shells; do
    "by_$shell" "$line"
    for word in "$@"; do
      wanted=${word#!}
      found=yes
      grep -qxF -e "$wanted" "$offered" || found=no
      if [ "$found" = yes ] && [ "$wanted" != "$word" ]; then
        echo "$shell: '$line' offers '$wanted', which does not belong there:"
      elif [ "$found" = no ] && [ "$wanted" = "$word" ]; then
        echo "$shell: '$line' does not offer '$wanted' but:"
      else
        continue
      fi
      cat "$offered"
      exit 1
    done
  done
}

# Every command, and of each exactly the options that its help shows.
run 0 help
commands=$(awk '/^Subcommands:/ { inside = 1; next } NF == 0 { inside = 0 } inside { print $1 }' "$out")
[ "$(echo "$commands" | wc -l)" -ge 12 ]
[ "$("$MLUOP" __complete "" | cut -f1)" = "$commands" ]
for command in $commands; do
  "$MLUOP" "$command" --help | sed -nE 's/^  (-h,)?(--[a-z-]+).*/\2/p' | sort >"$WORK/options"
  "$MLUOP" __complete "$command" -- | cut -f1 | sort | diff -u "$WORK/options" -
done
# A kind of value that help shows and completion does not know would offer nothing.
for command in $commands; do
  "$MLUOP" "$command" --help | sed -nE 's/^  (--[a-z-]+) ([^ ]+) .*/\1 \2/p' | while read -r option kind; do
    case $kind in N | X | 'NAME=N,...') continue ;; esac
    [ -n "$("$MLUOP" __complete "$command" "$option" "")" ] || {
      echo "mluop $command $option: nothing is offered for $kind"
      exit 1
    }
  done
done

installed=""
for shell in bash zsh fish; do
  if ! command -v "$shell" >/dev/null || { [ "$shell" = zsh ] && [ -z "$PYTHON" ]; }; then
    echo "$shell is not tested: it is not installed"
    continue
  fi
  "$shell" -n "completions/mluop.$shell"
  run 0 completion "$shell"
  cmp "$out" "completions/mluop.$shell"
  installed="$installed $shell"
done

shells=$installed
offers "mluop be" bench !list !rows.json
offers "mluop bench " --op --case --impl !rows.json !--quick
offers "mluop run " case.prototxt case.pb !rows.json !bench
offers "mluop bench --op carafe_b" carafe_backward !carafe_forward
offers "mluop bench --compare r" rows.json
offers "mluop accept --out f" folder !rows.json
shells=$(echo "$installed" | tr -d '\n' | sed 's/zsh//')  # interactive zsh takes seconds; the rest is the same for all
offers "mluop " list info accept bench bits encoder threads help completion
offers "mluop --" --help --version !--op
offers "mluop accept --" --quick --out --json !--compare !--impl
offers "mluop bits --" --op --case --dtype --compare
offers "mluop run --" --timeout --allow-outside --json
offers "mluop run --timeout " !rows.json !case.pb
offers "mluop help b" bench bits !rows.json
offers "mluop completion " bash zsh fish
offers "mluop list --cases c" carafe_forward carafe_backward !case.pb
offers "mluop list --cases carafe_forward " !case.pb
offers "mluop bench --op carafe_forward,ro" carafe_forward,roiaware_pool3d_forward
offers "mluop bench --op carafe_forward,c" !carafe_forward,carafe_forward carafe_forward,carafe_backward
offers "mluop bench --op carafe_forward --case " network fpn_p3 !centerpoint_subm1
offers "mluop bench --case centerpoint_s" centerpoint_subm1
offers "mluop bench --dtype b" bfloat16
offers "mluop bench --op get_indice_pairs --dtype " int32 !float
offers "mluop bench --impl g" general
offers "mluop bench --isa g" generic
offers "mluop encoder --scene " centerpoint small
offers "mluop gen --suite " network edge random
offers "mluop gen c" carafe_forward !case.pb
offers "mluop gen points_in_boxes_a" !points_in_boxes_all
offers "mluop frobnicate " !rows.json !--op
# With "=" bash completes what follows it, fish the whole word.
shells=bash
offers "mluop bench --op=carafe_f" carafe_forward
offers "mluop bench --op=" carafe_forward
offers "mluop gen carafe_forward --shape n=2,h" 2,h= !n=2,h=
offers "mluop bench --json=r" rows.json
case $installed in *fish*) shells=fish && offers "mluop bench --json=r" --json=rows.json ;; esac
