# libmluops.so exports exactly the functions that the public headers declare.
set -eu
rm -rf "$WORK" && mkdir -p "$WORK"

# GCC lists every prototype it has read as: /* FILE:LINE:NC */ extern TYPE NAME (ARGUMENTS);
for header in include/*.h; do echo "#include \"$(basename "$header")\""; done >"$WORK/all.c"
"$CC" -std=c11 -I"$PWD/include" -fsyntax-only -aux-info "$WORK/prototypes" "$WORK/all.c"
grep -F "/* $PWD/include/" "$WORK/prototypes" |
  sed -E 's/^[^*]*\*[^*]*\*\/ //; s/ \(.*//; s/.*[ *]//' | LC_ALL=C sort -u >"$WORK/declared"
"$NM" --dynamic --defined-only --format=posix "$LIBRARY" |
  cut -d ' ' -f 1 | LC_ALL=C sort -u >"$WORK/exported"

test -s "$WORK/declared" || { echo "no declaration was found"; exit 1; }
undefined=$(LC_ALL=C comm -23 "$WORK/declared" "$WORK/exported")
undeclared=$(LC_ALL=C comm -13 "$WORK/declared" "$WORK/exported")
test -z "$undefined" || { echo "declared but not exported:"; echo "$undefined"; }
test -z "$undeclared" || { echo "exported but not declared:"; echo "$undeclared"; }
test -z "$undefined$undeclared"
echo "$(wc -l <"$WORK/declared") functions declared and exported"
