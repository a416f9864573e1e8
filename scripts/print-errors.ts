import { fileURLToPath } from "node:url";
import { errorCodes } from "../src/lib/errors.js";
import { printFile } from "./printed-file.js";

/** What each exit code of the process means. */
export const exitCodes: Readonly<Record<number, string>> = {
  0: "Done; also when nothing changed, and when there were warnings only.",
  1: "Unexpected: a fault of this program.",
  2: "The command line, the configuration or the output folder must be put right first. Nothing was committed.",
  3: "Incomplete: the snapshot was committed, but a content file is blocked, the command of a consumer failed, or an asset is missing and `assets.onFailure` is `fail`. With `--strict`, warnings too.",
  4: "Refused: the upstream did not accept the token or the request (401, 403).",
  5: "The upstream could not be read, after all retries. The previous generation was kept.",
  6: "Safety stop: the previous generation was kept.",
  7: "The snapshot is damaged, or was written by a newer version.",
  9: "The space did not change, or nothing is to be handed over or deployed; only with `--exit-code`.",
  10: "`offprint types --check`: a file of types says something else than the content. `offprint check`: there are findings of the level of `check.failOn`, or higher.",
  11: "Another process is writing to the same output folder.",
  12: "The disk is full.",
  130: "Interrupted (SIGINT).",
  143: "Ended from outside (SIGTERM).",
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
    "hint that says what to do. On a terminal they stand on stderr; with `--json` they are the `problems` of the document",
    'on stdout: `{ "code", "message", "hint" }`, with `"count"` where one problem stands for several of its kind, and with',
    '`"about": { "part", "uuids" }` where it is about records that are known. No message shows a token.',
    "",
    "Where the exit code is not 0, the last lines on stderr say why, with `--quiet` too: the code of the problem, what happened",
    "with which value, and what to do (9 is no problem, and is not said with `--quiet`). `offprint status` marks the problems that make the next sync fail.",
    "",
    "Whatever the exit code, `output/` holds a whole generation: the new one (0, 3), or the one that was there before.",
    "",
    "## Exit codes",
    "",
    "| exit | means |",
    "|---|---|",
    ...Object.entries(exitCodes).map(([exit, about]) => row(exit, about)),
    "",
    "With `--allow-stale 24h`, 5 and 6 become 0 with a warning while the kept generation was confirmed within that time.",
    "A sync that finds nothing to read writes nothing, so that the time may lie `source.recheck` (an hour) further back.",
    "Other numbers may be added; treat any that is not 0 as a failure.",
    "A reader that has seen enough (`offprint check | head`) changes nothing: the command does all of its work, and ends with its own code.",
    "",
    "## Errors",
    "",
    "| code | exit | means |",
    "|---|---|---|",
    ...rows,
    "",
    "## Warnings",
    "",
    "They never fail a run. With `--strict`, `RELATION_DANGLING`, `LINK_DEAD`, `ASSET_GONE` and `RECORD_UNUSABLE` do (exit 3).",
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
