# Checks linking and hardening of the built files.
set -eu
fail() {
  echo "hardening: $*" >&2
  exit 1
}
# Programs and library: full RELRO (symbols are bound at load time, then read-only).
for file in "$LIBRARY" "$MLUOP"; do
  "$READELF" --wide --segments "$file" | grep -q GNU_RELRO || fail "$file: no RELRO segment"
  "$READELF" --wide --dynamic "$file" | grep -Eq 'FLAGS.*NOW' || fail "$file: binds symbols lazily"
done

dynamic=$("$READELF" --wide --dynamic "$LIBRARY")
segments=$("$READELF" --wide --segments "$LIBRARY")
undefined=$("$NM" --dynamic --undefined-only "$LIBRARY")

# Only the C++ runtime: no OpenMP, and Highway is header-only, so that a wheel needs nothing else.
needed=$(echo "$dynamic" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p')
for library in $needed; do
  case $library in
    libstdc++.so.* | libm.so.* | libgcc_s.so.* | libc.so.* | ld-linux*) ;;
    *) fail "needs $library" ;;
  esac
done

# -z nodelete: workers of the pool sleep in its code.
echo "$dynamic" | grep -q NODELETE || fail "dlclose would unmap it"
echo "$segments" | grep GNU_STACK | grep -q 'RWE' && fail "the stack would be executable"

echo "$undefined" | grep -q __stack_chk_fail || fail "no stack protector"
echo "$undefined" | grep -Eq '__[a-z]+_chk(@|$)' || fail "not fortified"

# The linker keeps IBT notes only if the start files of the system have them, so the objects are checked.
case $(uname -m) in
  x86_64)
    without=$("$READELF" --wide --notes "$BUILD/src/libmluops.a" |
      awk '/^File:/ { if (file != "" && !marked) print file; file = $2; marked = 0 }
           /IBT, SHSTK/ { marked = 1 }
           END { if (!marked) print file }')
    [ -z "$without" ] || fail "no control-flow notes in: $without"
    ;;
esac
