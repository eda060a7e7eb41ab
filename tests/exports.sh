# libmluops.so exports exactly the functions that the public headers declare, each with the version node of the
# release that added it.
set -eu
rm -rf "$WORK" && mkdir -p "$WORK"

# GCC lists every prototype it has read as: /* FILE:LINE:NC */ extern TYPE NAME (ARGUMENTS);
for header in include/*.h; do echo "#include \"$(basename "$header")\""; done >"$WORK/all.c"
"$CC" -std=c11 -I"$PWD/include" -fsyntax-only -aux-info "$WORK/prototypes" "$WORK/all.c"
grep -F "/* $PWD/include/" "$WORK/prototypes" |
  sed -E 's/^[^*]*\*[^*]*\*\/ //; s/ \(.*//; s/.*[ *]//' | LC_ALL=C sort -u >"$WORK/declared"
# NAME@@NODE TYPE …; type A are the nodes themselves.
"$NM" --dynamic --defined-only --format=posix --with-symbol-versions "$LIBRARY" |
  awk '$2 != "A" { print $1 }' | LC_ALL=C sort -u >"$WORK/versioned"
sed 's/@.*//' "$WORK/versioned" | LC_ALL=C sort -u >"$WORK/exported"

test -s "$WORK/declared" || { echo "no declaration was found"; exit 1; }
undefined=$(LC_ALL=C comm -23 "$WORK/declared" "$WORK/exported")
undeclared=$(LC_ALL=C comm -13 "$WORK/declared" "$WORK/exported")
test -z "$undefined" || { echo "declared but not exported:"; echo "$undefined"; }
test -z "$undeclared" || { echo "exported but not declared:"; echo "$undeclared"; }
test -z "$undefined$undeclared"

# Every node begins with MLUOPS_, its major number is that of the SONAME, and no function lacks one.
major=${SONAME##*.}
if grep -v "@@MLUOPS_$major\.[0-9]*$" "$WORK/versioned"; then
  echo "exported without a version node MLUOPS_$major.MINOR"
  exit 1
fi
echo "$(wc -l <"$WORK/declared") functions declared and exported, nodes: $(sed 's/.*@@//' "$WORK/versioned" | sort -u | tr '\n' ' ')"
