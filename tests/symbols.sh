# libmluops.so imports no unsafe symbol: no destructors at exit or thread exit, which would race with other
# threads; no guards of static variables, which would stay locked in a forked child; and no getenv, which setuid
# programs must not use.
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
