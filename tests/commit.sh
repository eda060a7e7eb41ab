# The report names the commit that the program was built from: cmake/commit.cmake in repositories of its own.
set -eu
rm -rf "$WORK" && mkdir -p "$WORK/tree"
fail() {
  echo "$*"
  exit 1
}
git=$(command -v git) || {
  echo "skipped: there is no git"
  exit 77
}
# No settings of the user.
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1 GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b GIT_COMMITTER_NAME=a
export GIT_COMMITTER_EMAIL=a@b
unset GIT_DIR GIT_WORK_TREE GIT_INDEX_FILE
in_tree() { "$git" -C "$WORK/tree" "$@" >/dev/null; }

# written TREE GIT: the commit that the script writes
written() {
  "$CMAKE" -D GIT="$2" -D ROOT="$WORK/$1" -D OUTPUT="$WORK/commit.cpp" -P cmake/commit.cmake
  sed -n 's/.*return "\(.*\)";.*/\1/p' "$WORK/commit.cpp"
}
expect() {
  [ "$1" = "$2" ] || fail "$3: expected '$2', got '$1'"
}

expect "$(written tree "$git")" "" "outside a repository"
in_tree init --quiet
expect "$(written tree "$git")" "" "without a commit"
echo 1 >"$WORK/tree/file"
in_tree add file
in_tree commit --quiet -m first
head=$("$git" -C "$WORK/tree" rev-parse --short=12 HEAD)
expect "$(written tree "$git")" "$head" "a clean tree"

touch -d '2001-01-01' "$WORK/commit.cpp"
expect "$(written tree "$git")" "$head" "the same commit again"
[ "$(date -r "$WORK/commit.cpp" +%Y)" = 2001 ] || fail "an unchanged source is written again, and compiled again"

echo 2 >"$WORK/tree/file"
expect "$(written tree "$git")" "$head with changes" "a changed file"
in_tree commit --quiet -a -m second
[ "$(written tree "$git")" != "$head" ] || fail "a new commit is not seen"
expect "$(written tree "")" "" "without git"
mkdir "$WORK/tree/inner"
expect "$(written tree/inner "$git")" "" "inside another repository"
