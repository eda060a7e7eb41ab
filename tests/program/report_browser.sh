# The report in a browser: charts are drawn, no label covers another one or a mark, tables are folded and failures are
# not, nothing is wider than the page, nothing is downloaded, and print is short.
set -eu
rm -rf "$WORK" && mkdir -p "$WORK"
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)
if [ -z "$browser" ]; then
  echo "skipped: there is no Chromium (scripts/setup browser installs it)"
  exit 77
fi
# A short run, and a report of full size with failures and every verdict.
"$MLUOP" accept --quick --op carafe_forward,rotated_feature_align_forward \
  --case square_32x256,p5_4x4x30,nan,channels_7 --out "$WORK/short" >"$WORK/out" || true
"$SAMPLE" "$WORK/full"

chrome() {
  "$browser" --headless --no-sandbox --disable-gpu --disable-quic --no-first-run \
    --disable-background-networking --disable-component-update --disable-sync \
    --user-data-dir="$WORK/profile" --allow-file-access-from-files "$@" 2>"$WORK/err"
}

# The report has no script, so an outer page inspects it in a frame and prints the result.
cat >"$WORK/look.html" <<'END'
<!doctype html><meta charset="utf-8"><body style="margin:0">
<pre id="seen"></pre>
<script>
const widths = [360, 800, 1280];
const seen = document.getElementById("seen");
const overlap = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
// A line of text is higher than its letters.
const letters = (text) => {
  const box = text.getBoundingClientRect();
  return {left: box.left + 0.5, right: box.right - 0.5, top: box.top + 2.5, bottom: box.bottom - 2.5};
};

// Labels of a roofline that cover a mark or each other.
function covered(chart) {
  const problems = [];
  const texts = [...chart.querySelectorAll("text.number, text.roof-name")].map((text) => [text.textContent, letters(text)]);
  for (const mark of chart.querySelectorAll(".mark")) {
    for (const [name, box] of texts) {
      if (overlap(mark.getBoundingClientRect(), box)) problems.push(`${name} covers a mark`);
    }
  }
  texts.forEach(([name, box], i) => {
    for (const [other, place] of texts.slice(i + 1)) if (overlap(box, place)) problems.push(`${name} covers ${other}`);
  });
  return problems;
}

function problems_of(page, width) {
  const problems = [];
  const wide = () => page.documentElement.scrollWidth > width;
  if (page.scripts.length > 0) problems.push("has scripts");
  if (wide()) problems.push(`is ${page.documentElement.scrollWidth} wide`);
  for (const folded of page.querySelectorAll("details")) if (folded.open) problems.push("a table is not folded");
  for (const failure of page.querySelectorAll(".failures li")) {
    if (failure.getBoundingClientRect().height === 0) problems.push(`hidden: ${failure.textContent}`);
  }
  for (const link of page.querySelectorAll("nav a")) {
    if (!page.querySelector(link.getAttribute("href"))) problems.push(`no ${link.href}`);
  }
  for (const svg of page.querySelectorAll("svg")) {
    const box = svg.getBoundingClientRect();
    if (box.width === 0) continue;  // the variant for other widths
    if (box.right > width + 0.5) problems.push(`chart ends at ${box.right}`);
    for (const text of svg.querySelectorAll("text")) {
      const place = text.getBoundingClientRect();
      if (place.left < box.left - 1 || place.right > box.right + 1) problems.push(`${text.textContent} leaves its chart`);
    }
    if (svg.classList.contains("roofline")) problems.push(...covered(svg));
  }
  for (const details of page.querySelectorAll("details")) details.open = true;
  if (wide()) problems.push("is too wide unfolded");
  return problems;
}

let done = 0;
for (const width of widths) {
  const frame = document.createElement("iframe");
  frame.style.cssText = `width:${width}px;height:900px;border:0`;
  frame.src = "report.html";
  frame.onload = () => {
    const page = frame.contentDocument, problems = problems_of(page, width);
    const fetched = frame.contentWindow.performance.getEntriesByType("resource").length;
    if (fetched > 0) problems.push(`fetched ${fetched}`);
    const drawn = [...page.querySelectorAll("svg.roofline")].filter((svg) => svg.getBoundingClientRect().width > 0);
    const marks = drawn.length === 1 ? drawn[0].querySelectorAll(".mark").length : "missing";
    const colours = new Set();
    for (const bar of page.querySelectorAll("dl.speed .fill")) colours.add(frame.contentWindow.getComputedStyle(bar).fill);
    seen.textContent += `${width}: marks ${marks} histograms ${page.querySelectorAll("svg.histogram").length} ` +
      `bars ${page.querySelectorAll("dl.speed svg.bar").length} colours ${colours.size} ` +
      `problems ${problems.length} ${problems.join("; ")}\n`;
    if (++done === widths.length) seen.textContent += "looked\n";
  };
  document.body.append(frame);
}
</script>
END

# look FOLDER COLOURS: what the page has to show, at each width
look() {
  cp "$WORK/look.html" "$1/look.html"
  chrome --virtual-time-budget=60000 --dump-dom "file://$1/look.html" >"$1/dom.html"
  sed -n 's/.*<pre id="seen">//; /^[0-9]*: marks/p; /^looked/p' "$1/dom.html" >"$1/seen"
  timed=$(grep -c '"limit_ms": ' "$1/report.json")
  operators=$(grep -c '"bad_calls": ' "$1/report.json")
  for width in 360 800 1280; do
    if ! grep -q "^$width: marks $timed histograms $operators bars $timed colours $2 problems 0" "$1/seen"; then
      echo "$1 at $width px is not as it should be ($timed timed cases, $operators operators, $2 colours):"
      cat "$1/seen"
      exit 1
    fi
  done
}
# Met, explained, slow, and grey for what was not judged.
look "$WORK/full" 4
most=$((4 + operators / 2))  # pages
look "$WORK/short" "$(grep -oE '"verdict": "(met|explained|slow|not judged|no floor)"' "$WORK/short/report.json" |
  sed 's/no floor/not judged/' | sort -u | wc -l)"

# Folded tables are not printed: some pages and half a page for each operator.
chrome --no-pdf-header-footer --print-to-pdf="$WORK/full.pdf" "file://$WORK/full/report.html"
pages=$(grep -a -o '/Type */Page\>' "$WORK/full.pdf" | wc -l)
if [ "$pages" -lt 2 ] || [ "$pages" -gt "$most" ]; then
  echo "printed, the report has $pages pages, more than $most"
  exit 1
fi

# Screenshots in light and dark mode must differ.
for scheme in light dark; do
  dark=
  [ "$scheme" = dark ] && dark="--blink-settings=preferredColorScheme=0"
  chrome $dark --hide-scrollbars --window-size=800,900 --screenshot="$WORK/$scheme.png" "file://$WORK/short/report.html"
  [ -s "$WORK/$scheme.png" ]
done
if cmp -s "$WORK/light.png" "$WORK/dark.png"; then
  echo "light and dark look the same"
  exit 1
fi
