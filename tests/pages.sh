# Pages in two languages (X.md and X.zh-CN.md) have the same headings, code, tables, names, figures and links; and the
# checks of pages find what is wrong with a page.
set -eu
PYTHONDONTWRITEBYTECODE=1 python3 -W error tests/pages/pages_test.py
python3 tests/pages/translations.py
