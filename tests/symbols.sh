# libmluops.so needs no symbol that can do harm in its process: no destructor at exit or at the end of a
# thread, which other threads would meet; no guard of a static, which a child forked meanwhile would find
# locked; and no environment of a program with more rights than its user.
set -eu
rm -rf "$WORK" && mkdir -p "$WORK"

"$NM" --dynamic --undefined-only --format=posix "$LIBRARY" |
  sed 's/[@ ].*//' | LC_ALL=C sort -u >"$WORK/needed"
grep -qx secure_getenv "$WORK/needed" || { echo "no list of symbols, or another way to the environment"; exit 1; }
if grep -xE '(__cxa_|__cxa_thread_|at_quick_|on_|)(atexit|exit)|__cxa_guard_acquire|getenv' "$WORK/needed"; then
  echo "must not be needed"
  exit 1
fi
echo "$(wc -l <"$WORK/needed") symbols, none of them harmful"
