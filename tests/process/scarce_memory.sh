# scarce_memory.sh PROGRAM: it must run with little address space and print nothing: with two threads in 24 MB,
# and in 20 MB, where a thread with the default stack of 8 MB does not fit.
check() {
  output=$(ulimit -v "$1" && exec "$2" $3 2>&1) && [ -z "$output" ] && return
  echo "with $1 kB: $output"
  exit 1
}
check 24000 "$1" two
check 20000 "$1"
