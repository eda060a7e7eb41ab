# Installs into an empty prefix, including the static library, for the other install tests.
set -eu
rm -rf "$PREFIX"
unset DESTDIR
"$CMAKE" --install "$BUILD" --prefix "$PREFIX" >/dev/null
test ! -e "$LIBDIR/libmluops.a" || grep -qi '^MLUOPS_STATIC:BOOL=\(on\|1\|true\|yes\)$' "$BUILD/CMakeCache.txt"
"$CMAKE" --install "$BUILD" --prefix "$PREFIX" --component static >/dev/null

"$READELF" --dynamic "$LIBDIR/libmluops.so" | grep -F "Library soname: [$SONAME]"
for header in include/*.h; do
  test -e "$PREFIX/$header" || { echo "$header is not installed"; exit 1; }
done
for file in libmluops.so "$SONAME" libmluops.a pkgconfig/mluops.pc cmake/mluops/mluops-config.cmake; do
  test -e "$LIBDIR/$file" || { echo "$file is not installed"; exit 1; }
done
if [ -e "$PREFIX/bin/mluop" ]; then
  for file in bash-completion/completions/mluop zsh/site-functions/_mluop fish/vendor_completions.d/mluop.fish \
    man/man1/mluop.1; do
    test -s "$PREFIX/share/$file" || { echo "$file of mluop is not installed"; exit 1; }
  done
fi
version=$(awk '/define MLUOP_CPU_(MAJOR|MINOR|PATCHLEVEL) / { printf "%s%s", dot, $3; dot = "." }' \
  include/mlu_op_cpu.h)
if [ "$(pkg-config --modversion mluops)" != "$version" ]; then
  echo "mluops.pc says $(pkg-config --modversion mluops), mlu_op_cpu.h says $version"
  exit 1
fi
if grep -rlF -e "$BUILD" -e "$PWD" --include='*.cmake' --include='*.pc' --include='*.h' "$PREFIX"; then
  echo "the files above mention the build or source directory"
  exit 1
fi
