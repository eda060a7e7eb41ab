# scarce_memory.sh PROGRAM: it must run with 24 MB of address space, and be silent.
ulimit -v 24000 || exit 1
output=$("$1" 2>&1) || { echo "failed: $output"; exit 1; }
[ -z "$output" ] || { echo "not silent: $output"; exit 1; }
