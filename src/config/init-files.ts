// biome-ignore-all lint/suspicious/noTemplateCurlyInString: `${NAME}` is the syntax of the files that are written here.

import { configFileName } from "./config-file.js";
import { configTemplate, type TemplateOptions } from "./config-template.js";

/** A file that `offprint init` writes. */
export interface InitFile {
  /** Path relative to the folder of the project, with `/` between segments. */
  name: string;
  text: string;
}

/**
 * The files that `offprint init` writes: the configuration, an example of `.env`, and a recipe for CI.
 *
 * @throws OffprintError USAGE as {@link configTemplate} does.
 */
export function initFiles(options: TemplateOptions = {}): InitFile[] {
  const readsUrl = options.region === undefined && options.url === undefined;
  return [
    { name: configFileName, text: configTemplate(options) },
    { name: ".env.example", text: envExample(readsUrl) },
    { name: ".github/workflows/content-sync.yml", text: workflow(readsUrl) },
  ];
}

/**
 * Adds `.env` to the text of a `.gitignore`.
 * @param text undefined where there is no such file
 * @returns the new text, or undefined when it needs no change
 */
export function ignoringEnv(text: string | undefined): string | undefined {
  return ignoringPaths(text, [".env"])?.text;
}

/**
 * Adds paths to the text of a `.gitignore`, each on a line, with the line ends that the text has.
 * @param text undefined where there is no such file
 * @param paths `.env`, or a folder: `/output/`
 * @returns the new text and the lines that were added, or undefined when it needs no change
 */
export function ignoringPaths(
  text: string | undefined,
  paths: readonly string[],
): { text: string; added: string[] } | undefined {
  const lines = new Set((text ?? "").split(/\r?\n/).map((line) => bare(line.trim())));
  const isIgnored = (path: string) =>
    [path, ...(path === ".env" ? [".env*", "*.env"] : [])].some((one) => lines.has(bare(one)));
  const added = paths.filter((path) => !isIgnored(path));
  if (added.length === 0) return undefined;
  const lineEnd = text?.includes("\r\n") ? "\r\n" : "\n";
  const before = text === undefined || text === "" || text.endsWith("\n") ? (text ?? "") : `${text}${lineEnd}`;
  return { text: `${before}${added.map((path) => `${path}${lineEnd}`).join("")}`, added };
}

/** A path without the slashes at its ends: with or without them, git ignores the folder. */
function bare(path: string): string {
  return path.replace(/^\/|\/$/g, "");
}

/**
 * The text of `.env.example`.
 * @param readsUrl whether the configuration reads the address of the upstream from `OFFPRINT_URL`
 */
export function envExample(readsUrl: boolean): string {
  return `# Copy this file to .env, beside sync.config.yaml, and fill it in. git must not see .env: .gitignore says so.
# A variable of the environment wins over the one in .env; an empty one counts as not set.
${readsUrl ? "\n# Address of the content delivery interface: https://…\nOFFPRINT_URL=\n" : ""}
# Access token of the space: public, or preview to read drafts.
OFFPRINT_TOKEN=
`;
}

function workflow(readsUrl: boolean): string {
  return `# Syncs the content every quarter of an hour, and on demand; a run that finds nothing new costs one request.
# The secret OFFPRINT_TOKEN${readsUrl ? " and the variable OFFPRINT_URL belong" : " belongs"} in the settings of the repository.
name: content sync

on:
  schedule:
    - cron: "*/15 * * * *"
  workflow_dispatch:
  # A webhook of the space may start it too: POST /repos/{owner}/{repo}/dispatches { "event_type": "content" }
  repository_dispatch:
    types: [content]

permissions:
  contents: read

# One sync at a time; one that runs is never cut off.
concurrency:
  group: content-sync
  cancel-in-progress: false

jobs:
  sync:
    runs-on: ubuntu-latest
    timeout-minutes: 30
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with:
          node-version: 20
          cache: npm
      - run: npm ci

      # The snapshot of the last run: only what changed since then is read.
      - uses: actions/cache/restore@v4
        with:
          path: output
          key: offprint-\${{ github.run_id }}-\${{ github.run_attempt }}
          restore-keys: offprint-

      # Exit code 0: done. With --allow-stale, a source that cannot be read for a while does not fail the build.
      - run: npx offprint sync --allow-stale 24h
        env:
          OFFPRINT_TOKEN: \${{ secrets.OFFPRINT_TOKEN }}
${readsUrl ? "          OFFPRINT_URL: ${{ vars.OFFPRINT_URL }}\n" : ""}
      # Also after a failure: what was read so far is taken up by the next run.
      - uses: actions/cache/save@v4
        if: \${{ !cancelled() }}
        with:
          path: output
          key: offprint-\${{ github.run_id }}-\${{ github.run_attempt }}

      # - run: npm run build   # the build of your site, and then its deployment
`;
}
