# scarce_memory.sh PROGRAM: it must run with little address space, and be silent: with two threads in 24 MB, and
# with as many as fit in 20 MB, where there is no room for a thread with the system's usual stack of 8 MB.
check() {
  output=$(ulimit -v "$1" && exec "$2" $3 2>&1) && [ -z "$output" ] && return
  echo "with $1 kB: $output"
  exit 1
}
check 24000 "$1" two
check 20000 "$1"
