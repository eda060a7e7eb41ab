# No two objects of the library define an inline function or template of the same name differently.
set -eu
rm -rf "$WORK" && mkdir -p "$WORK"
check() { python3 tests/one_definition.py "$NM" "$@"; }

# It finds a clash: two bodies of one name.
cat >"$WORK/one.cpp" <<'END'
namespace mluop { template <class T> __attribute__((noinline)) T twice(T x) { return x + x; } }
int one(int x) { return mluop::twice(x); }
END
cat >"$WORK/two.cpp" <<'END'
namespace mluop { template <class T> __attribute__((noinline)) T twice(T x) {
  for (T i = 0; i < 9; ++i) x = x * x % 7 + i;
  return x;
} }
int two(int x) { return mluop::twice(x); }
END
for name in one two; do "$CXX" -O1 -c "$WORK/$name.cpp" -o "$WORK/$name.o"; done
check "$WORK/one.o" || { echo "reported an object alone"; exit 1; }
if check "$WORK/one.o" "$WORK/two.o" >"$WORK/found"; then echo "missed a clash"; exit 1; fi
grep -q 'mluop::twice<int>(int): .*one\.o, .*two\.o' "$WORK/found" || { cat "$WORK/found"; exit 1; }

find "$BUILD/src" -path '*mluops_objects.dir*' -name '*.o' >"$WORK/objects"
test -s "$WORK/objects" || { echo "no objects of the library in $BUILD"; exit 1; }
xargs python3 tests/one_definition.py "$NM" <"$WORK/objects"
echo "$(wc -l <"$WORK/objects") objects, one definition of each name"
