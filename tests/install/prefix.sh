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
for file in libmluops.so "$SONAME" libmluops.a libcnrt.a libcndrv.a pkgconfig/mluops.pc pkgconfig/mluops-shared.pc \
  cmake/mluops/mluops-config.cmake; do
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

# `make install` builds what is installed, and no tests.
env -u MAKEFLAGS make -n install SETUP=no | grep -F -e '--target mluops_installed'
ninja -C "$BUILD" -t commands mluops_installed >"$WORK.commands"
grep -qF libmluops.so "$WORK.commands" || { echo "mluops_installed does not build the library"; exit 1; }
if [ -e "$PREFIX/bin/mluop" ] && ! grep -qF -e '-o cli/mluop ' "$WORK.commands"; then
  echo "mluops_installed does not build mluop"
  exit 1
fi
if grep -E '_test(\.cpp|\.dir| )|gtest' "$WORK.commands"; then
  echo "mluops_installed builds tests"
  exit 1
fi
