# scarce_memory.sh PROGRAM: it must run with little address space, and be silent. With 20 MB there is no room
# for a thread with the system's usual stack of 8 MB.
for kilobytes in 24000 20000; do
  output=$(ulimit -v $kilobytes && exec "$1" 2>&1) && [ -z "$output" ] && continue
  echo "with $kilobytes kB: $output"
  exit 1
done
