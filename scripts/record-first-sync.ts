import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { type RowState, terminalRows, type Written } from "./terminal-rows.js";

/**
 * Records the first sync of the demo space as `docs/images/first-sync.svg`: what the command line really writes to a terminal,
 * when it writes it. Text stays text; nothing in the picture runs but its animation. Needs `script` of util-linux.
 */

const columns = 112;
const file = "docs/images/first-sync.svg";
/** So long the end stands before it begins again, in milliseconds. */
const holdMs = 6_000;
/** States that stood for less are left out, and the shorter ones of more than so many, in milliseconds. */
const shortestMs = 90;
const mostBytes = 60_000;

const cell = { width: 8.4, height: 19 };
const margin = { side: 16, top: 44 };

async function recordSync(): Promise<Written[]> {
  const folder = await mkdtemp(join(tmpdir(), "offprint-recording-"));
  try {
    await writeFile(join(folder, "sync.config.yaml"), 'source: { url: "demo:", token: demo }\n');
    const main = resolve("dist", "cli", "main.js");
    const typed = `stty cols ${columns} && '${process.execPath}' '${main}' sync`;
    const { PATH, HOME } = process.env;
    const child = spawn("script", ["-qec", typed, "/dev/null"], {
      cwd: folder,
      env: { PATH, HOME, TERM: "xterm", SHELL: "/bin/sh", npm_lifecycle_event: "npx" },
      stdio: ["ignore", "pipe", "inherit"],
    });
    const written: Written[] = [{ atMs: 0, text: "\u001b[32m$\u001b[39m npx offprint sync\r\n" }];
    const startedMs = performance.now();
    child.stdout.setEncoding("utf8");
    for await (const text of child.stdout) written.push({ atMs: performance.now() - startedMs, text: String(text) });
    const code = child.exitCode ?? (await new Promise((ended) => child.once("close", ended)));
    if (code !== 0) throw new Error(`the sync ended with ${code}: ${written.map(({ text }) => text).join("")}`);
    return written;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Without states that nobody sees, and with so few that the file stays small. */
function shownStates(states: readonly RowState[], leastMs: number): RowState[] {
  const shown: RowState[] = [];
  for (const state of states) {
    const stood = (state.toMs ?? Number.POSITIVE_INFINITY) - state.fromMs;
    const last = shown.at(-1);
    if (stood >= leastMs) shown.push({ ...state });
    // What stood before in this row stands on.
    else if (last?.row === state.row && last.toMs === state.fromMs && state.toMs !== undefined) last.toMs = state.toMs;
  }
  return shown;
}

function recordingSvg(states: readonly RowState[]): string {
  const totalMs = Math.max(...states.map(({ fromMs }) => fromMs)) + holdMs;
  const rows = Math.max(...states.map(({ row }) => row)) + 1;
  const [width, height] = [Math.ceil(columns * cell.width) + 2 * margin.side, rows * cell.height + margin.top + 16];
  const percent = (ms: number) => `${((ms / totalMs) * 100).toFixed(2)}%`;
  const frames = new Map<string, string>();
  const animation = ({ fromMs, toMs }: RowState): string => {
    if (fromMs === 0 && toMs === undefined) return "";
    const until = toMs === undefined ? "" : `${percent(toMs)}{visibility:hidden}`;
    const key = `0%{visibility:hidden}${percent(fromMs)}{visibility:visible}${until}`;
    const name = frames.get(key) ?? `k${frames.size}`;
    frames.set(key, name);
    return ` style="animation-name:${name}"`;
  };
  const texts = states.map((state) => {
    const y = margin.top + (state.row + 1) * cell.height - 5;
    const kind = state.toMs === undefined ? "" : ' class="past"';
    return `<text y="${y}"${kind}${animation(state)}>${runsText(state)}</text>`;
  });
  const keyframes = [...frames].map(([key, name]) => `@keyframes ${name}{${key}}`).join("\n");
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-labelledby="t">
<title id="t">The first sync of the demo space in a terminal: it reads the index and 408 stories, renders the content, and says what was written and what comes next</title>
<style>
svg{--paper:#fff;--edge:#d5d9df;--ink:#1f2430;--dim:#6d7683;--red:#b3261e;--green:#1a7f37;--yellow:#8a5a00;--cyan:#0b7285}
@media (prefers-color-scheme:dark){svg{--paper:#15181e;--edge:#343a45;--ink:#dfe3ea;--dim:#8b94a3;--red:#ff8a80;--green:#6fdd8b;--yellow:#f2c14e;--cyan:#5cd0e6}}
text{font:14px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono","Liberation Mono",monospace;fill:var(--ink);white-space:pre;animation:${(totalMs / 1_000).toFixed(2)}s step-end infinite}
.dim{fill:var(--dim)}.red{fill:var(--red)}.green{fill:var(--green)}.yellow{fill:var(--yellow)}.cyan{fill:var(--cyan)}.bold{font-weight:700}
.past{visibility:hidden}
@media (prefers-reduced-motion:reduce){text{animation:none!important}}
${keyframes}
</style>
<rect x=".5" y=".5" width="${width - 1}" height="${height - 1}" rx="9" fill="var(--paper)" stroke="var(--edge)"/>
<g fill="var(--edge)"><circle cx="22" cy="20" r="5.5"/><circle cx="40" cy="20" r="5.5"/><circle cx="58" cy="20" r="5.5"/></g>
${texts.join("\n")}
</svg>
`;
}

/** Each run at its own column, and as wide as its columns, whatever the font is. */
function runsText({ runs }: RowState): string {
  let column = 0;
  return runs
    .map(({ text, styles }) => {
      const x = (margin.side + column * cell.width).toFixed(1);
      const length = (text.length * cell.width).toFixed(1);
      column += text.length;
      const classes = styles.length === 0 ? "" : ` class="${styles.join(" ")}"`;
      return `<tspan x="${x}" textLength="${length}" lengthAdjust="spacingAndGlyphs"${classes}>${escaped(text)}</tspan>`;
    })
    .join("");
}

function escaped(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

const states = terminalRows(await recordSync(), columns);
let leastMs = shortestMs;
let svg = recordingSvg(shownStates(states, leastMs));
while (Buffer.byteLength(svg) > mostBytes) {
  leastMs *= 1.25;
  svg = recordingSvg(shownStates(states, leastMs));
}
await writeFile(file, svg);
process.stderr.write(`${file}: ${Buffer.byteLength(svg)} bytes\n`);
