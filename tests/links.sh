# Every relative link of a page leads to a file of the project, and every anchor to a heading.
set -eu
python3 tests/pages/links.py
