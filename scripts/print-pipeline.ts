import { printFile } from "./printed-file.js";

/**
 * Prints the drawing of the pipeline, `docs/images/pipeline.svg`; with `--check` compares it. In a narrow place the picture becomes
 * smaller as a whole, so the boxes stand in few columns and their texts are large.
 */

interface Box {
  name: string;
  /** What it does, in lines. */
  says: [string, string];
  kind: "outside" | "step" | "kept" | "use";
}

/** The second row is read from right to left. */
const rows: readonly (readonly (Box | undefined)[])[] = [
  [
    { name: "upstream", says: ["a content space,", "over HTTP"], kind: "outside" },
    { name: "probe", says: ["one request:", "anything new?"], kind: "step" },
    { name: "index", says: ["a row for every", "story and folder"], kind: "step" },
  ],
  [
    { name: "stage", says: ["what was read,", "not visible yet"], kind: "step" },
    { name: "stories", says: ["only those, in", "every language"], kind: "step" },
    { name: "plan", says: ["what differs, and", "what it will cost"], kind: "step" },
  ],
  [undefined, { name: "commit", says: ["a generation:", "all of it or none"], kind: "kept" }],
  [
    { name: "content", says: ["JSON, Markdown", "for a site build"], kind: "use" },
    { name: "serve", says: ["same interface,", "offline"], kind: "use" },
    { name: "pull", says: ["same bytes on", "other machines"], kind: "use" },
  ],
];

const box = { width: 216, height: 104 };
const gap = { x: 38, y: 40 };
const side = 12;
const width = 3 * box.width + 2 * gap.x + 2 * side;
const height = 4 * box.height + 3 * gap.y + 2 * side;

const xOf = (column: number) => side + column * (box.width + gap.x);
const yOf = (row: number) => side + row * (box.height + gap.y);

function boxSvg({ name, says, kind }: Box, { x, y }: { x: number; y: number }): string {
  const middle = x + box.width / 2;
  const lines = says.map((text, at) => `<text x="${middle}" y="${y + 64 + at * 25}" class="says">${text}</text>`);
  return `<g class="${kind}"><rect x="${x}" y="${y}" width="${box.width}" height="${box.height}" rx="10"/>
<text x="${middle}" y="${y + 36}" class="name">${name}</text>
${lines.join("\n")}</g>`;
}

const arrow = (path: string): string => `<path d="${path}" class="arrow" marker-end="url(#head)"/>`;

function arrows(): string[] {
  const half = box.height / 2;
  const middle = box.width / 2;
  const right = (row: number, column: number) =>
    arrow(`M${xOf(column) + box.width + 4} ${yOf(row) + half}H${xOf(column + 1) - 6}`);
  const left = (row: number, column: number) =>
    arrow(`M${xOf(column) - 4} ${yOf(row) + half}H${xOf(column - 1) + box.width + 6}`);
  const down = (row: number, column: number) =>
    arrow(`M${xOf(column) + middle} ${yOf(row) + box.height + 4}V${yOf(row + 1) - 6}`);
  const fork = yOf(2) + box.height + gap.y / 2;
  const fromStage = `M${xOf(0) + middle} ${yOf(1) + box.height + 4}V${yOf(2) + half}H${xOf(1) - 6}`;
  const toBothSides = [0, 2].map((column) => `M${xOf(1) + middle} ${fork}H${xOf(column) + middle}V${yOf(3) - 6}`);
  const paths = [fromStage, ...toBothSides].map(arrow);
  return [right(0, 0), right(0, 1), down(0, 2), left(1, 2), left(1, 1), down(2, 1), ...paths];
}

const boxes = rows.flatMap((row, number) =>
  row.flatMap((one, column) => (one === undefined ? [] : [boxSvg(one, { x: xOf(column), y: yOf(number) })])),
);

const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="t">
<title id="t">The pipeline: upstream, probe, index, plan, stories, stage, commit; from the commit to the content tree, to serve and to pull</title>
<style>
svg{--paper:#fff;--ink:#1f2430;--soft:#4c5563;--line:#7b8494;--outside:#eef0f4;--step:#e5f0fb;--kept:#fdf0d2;--use:#e2f4e6}
@media (prefers-color-scheme:dark){svg{--paper:#15181e;--ink:#eceff4;--soft:#b9c1cd;--line:#8b94a3;--outside:#262b34;--step:#18324a;--kept:#4a3a12;--use:#173d25}}
text{font-family:system-ui,-apple-system,"Segoe UI",Roboto,"DejaVu Sans",sans-serif;text-anchor:middle}
.name{font-size:27px;font-weight:700;fill:var(--ink)}.says{font-size:20.5px;fill:var(--soft)}
rect{stroke:var(--line);stroke-width:1.5}
.outside rect{fill:var(--outside);stroke-dasharray:6 4}.step rect{fill:var(--step)}.kept rect{fill:var(--kept);stroke-width:3}.use rect{fill:var(--use)}
.arrow{fill:none;stroke:var(--line);stroke-width:3}.head{fill:var(--line)}
</style>
<defs><marker id="head" markerUnits="userSpaceOnUse" markerWidth="14" markerHeight="14" refX="10" refY="7" orient="auto"><path class="head" d="M0 0 14 7 0 14Z"/></marker></defs>
<rect width="${width}" height="${height}" rx="12" style="fill:var(--paper);stroke:none"/>
${arrows().join("\n")}
${boxes.join("\n")}
</svg>
`;

await printFile("docs/images/pipeline.svg", svg, process.argv.slice(2));
