import { fileURLToPath } from "node:url";
import { errorCodes } from "../src/lib/errors.js";
import { printFile } from "./printed-file.js";

/** What each exit code of the process means. */
export const exitCodes: Readonly<Record<number, string>> = {
  0: "Success, also if nothing changed or there were only warnings.",
  1: "Unexpected: a bug in this program.",
  2: "Fix the command line, the configuration or the output folder first. Nothing was committed.",
  3: "Incomplete: the snapshot was committed, but a content file is blocked, a consumer's command failed, or an asset is missing and `assets.onFailure` is `fail`. With `--strict`, also some warnings (see below).",
  4: "Refused: the upstream rejected the token or the request (401, 403), or the store rejected its key.",
  5: "The upstream, the store or the queue could not be reached or read, after all retries. The previous generation was kept.",
  6: "Safety stop. The previous generation was kept.",
  7: "The snapshot is damaged, or a newer version wrote it.",
  9: "The space did not change, or there is nothing to hand over or deploy. Only with `--exit-code`.",
  10: "`offprint types --check`: a types file does not match the content. `offprint check`: there are findings of the level of `check.failOn`, or higher.",
  11: "Another process is writing to the same output folder or store.",
  12: "The disk is full.",
  130: "Interrupted (SIGINT).",
  143: "Terminated (SIGTERM).",
};

/** The text of docs/errors.md. */
export function errorsPage(): string {
  const codes = Object.entries(errorCodes);
  const rows = codes
    .filter(([, { exit }]) => exit !== 0)
    .map(([code, { exit, about }]) => row(`\`${code}\``, exit, about));
  const warnings = codes.filter(([, { exit }]) => exit === 0).map(([code, { about }]) => row(`\`${code}\``, about));
  return [
    "# Errors and exit codes",
    "",
    "<!-- Printed from src/lib/errors.ts by scripts/print-errors.ts: change it there. -->",
    "",
    "Every problem has a code that never changes its meaning, a message that says what happened with which value, and a",
    "hint that says what to do. A terminal shows them on stderr; `--json` puts them into the `problems` of the document on",
    'stdout: `{ "code", "message", "hint" }`, with `"count"` if one problem stands for several of its kind, and with',
    '`"about": { "part", "uuids" }` if the affected records are known. No message shows a token.',
    "",
    "If the exit code is not 0, the last lines on stderr say why, even with `--quiet`: the code, what happened with which",
    "value, and what to do. Exit code 9 is not a problem, so `--quiet` says nothing. `offprint status` marks the problems",
    "that make the next sync fail.",
    "",
    "After any exit code, `output/` has a whole generation: the new one (0, 3), or the previous one.",
    "",
    "## Exit codes",
    "",
    "| exit | means |",
    "|---|---|",
    ...Object.entries(exitCodes).map(([exit, about]) => row(exit, about)),
    "",
    "With `--allow-stale 24h`, codes 5 and 6 become 0 with a warning if the kept generation was confirmed in that time.",
    "A sync that finds nothing to read writes nothing, so that time may be `source.recheck` (an hour) further back.",
    "Later versions may add other codes; treat every code other than 0 as a failure.",
    "Closing the pipe early (`offprint check | head`) changes nothing: the command finishes, and exits with its own code.",
    "",
    "## Errors",
    "",
    "| code | exit | means |",
    "|---|---|---|",
    ...rows,
    "",
    "## Warnings",
    "",
    "Warnings do not fail a run. With `--strict`, `RELATION_DANGLING`, `LINK_DEAD`, `ASSET_GONE` and `RECORD_UNUSABLE` do (exit 3).",
    "",
    "| code | means |",
    "|---|---|",
    ...warnings,
    "",
  ].join("\n");
}

function row(...cells: readonly (string | number)[]): string {
  return `| ${cells.map((cell) => String(cell).replaceAll("|", "\\|")).join(" | ")} |`;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  await printFile("docs/errors.md", errorsPage(), process.argv.slice(2));
}
