# Every relative link of the documentation names an existing file.
set -eu
broken=0
for page in *.md docs/*.md docs/*/*.md src/*/*/*.md src/*/*/*/*.md; do
  for target in $(grep -o '](\([^)# ]*\)' "$page" | sed 's/^](//' | grep -v '^[a-z]*:' || true); do
    if [ ! -e "$(dirname "$page")/$target" ]; then
      echo "$page: no such file: $target"
      broken=1
    fi
  done
done
exit $broken
