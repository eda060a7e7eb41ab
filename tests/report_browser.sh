# The report in a browser: charts are drawn, nothing is wider than the page, nothing is downloaded.
set -eu
rm -rf "$WORK" && mkdir -p "$WORK"
browser=$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)
if [ -z "$browser" ]; then
  echo "skipped: there is no Chromium (scripts/setup browser installs it)"
  exit 77
fi
"$MLUOP" accept --quick --op carafe_forward,rotated_feature_align_forward \
  --case square_32x256,p5_4x4x30,nan,channels_7 --out "$WORK" >"$WORK/out"

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
let done = 0;
for (const width of widths) {
  const frame = document.createElement("iframe");
  frame.style.cssText = `width:${width}px;height:900px;border:0`;
  frame.src = "report.html";
  frame.onload = () => {
    const page = frame.contentDocument, view = frame.contentWindow, problems = [];
    const fetched = view.performance.getEntriesByType("resource").length;
    if (page.scripts.length > 0) problems.push("has scripts");
    if (fetched > 0) problems.push(`fetched ${fetched}`);
    if (page.documentElement.scrollWidth > width) problems.push(`is ${page.documentElement.scrollWidth} wide`);
    for (const details of page.querySelectorAll("details")) details.open = true;
    if (page.documentElement.scrollWidth > width) problems.push("is too wide unfolded");
    let drawn = 0, marks = 0;
    for (const svg of page.querySelectorAll("svg")) {
      const box = svg.getBoundingClientRect();
      if (box.width === 0) continue;  // the variant for other widths
      ++drawn;
      if (box.right > width + 0.5) problems.push(`chart ends at ${box.right}`);
      marks += svg.querySelectorAll(".mark").length;
      for (const text of svg.querySelectorAll("text")) {
        const place = text.getBoundingClientRect();
        if (place.left < box.left - 1 || place.right > box.right + 1) {
          problems.push(`the text ${text.textContent} leaves its chart`);
        }
      }
    }
    const histograms = page.querySelectorAll("svg.histogram").length;
    const bars = page.querySelectorAll("dl.efficiency svg.bar").length;
    seen.textContent += `${width}: drawn ${drawn > 0} marks ${marks} histograms ${histograms} bars ${bars} ` +
      `problems ${problems.length} ${problems.join("; ")}\n`;
    if (++done === widths.length) seen.textContent += "looked\n";
  };
  document.body.append(frame);
}
</script>
END
chrome --virtual-time-budget=20000 --dump-dom "file://$WORK/look.html" >"$WORK/dom.html"
sed -n 's/.*<pre id="seen">//; /^[0-9]*: drawn/p; /^looked/p' "$WORK/dom.html" >"$WORK/seen"
timed=$(grep -c '"verdict": ' "$WORK/report.json")
for width in 360 800 1280; do
  if ! grep -q "^$width: drawn true marks $timed histograms 2 bars $timed problems 0" "$WORK/seen"; then
    echo "at $width px the report is not as it should be ($timed timed cases):"
    cat "$WORK/seen"
    exit 1
  fi
done

# Screenshots in light and dark mode must differ.
for scheme in light dark; do
  dark=
  [ "$scheme" = dark ] && dark="--blink-settings=preferredColorScheme=0"
  chrome $dark --hide-scrollbars --window-size=800,900 --screenshot="$WORK/$scheme.png" "file://$WORK/report.html"
  [ -s "$WORK/$scheme.png" ]
done
if cmp -s "$WORK/light.png" "$WORK/dark.png"; then
  echo "light and dark look the same"
  exit 1
fi
