// biome-ignore-all lint/suspicious/noTemplateCurlyInString: `${{ … }}` is the syntax of the files that are written here.
import { createHash } from "node:crypto";
import { parse } from "yaml";
import { isObject } from "../shape.js";

/** Whose builds `offprint init --ci` writes a recipe for. */
export const ciHosts = ["github", "gitlab", "netlify", "vercel"] as const;
export type CiHost = (typeof ciHosts)[number];

export function isCiHost(name: string): name is CiHost {
  return ciHosts.some((host) => host === name);
}

/** Where a host keeps what a build leaves, without being told: below the packages. */
export const keptBelowPackages = "node_modules/.cache/offprint";

/** What a recipe has to know of a project. Paths are relative to its folder. */
export interface RecipeFacts {
  outputDir: string;
  contentDir: string;
  /** Where copies of images are written, if that is not below the output folder. */
  assetsDir?: string | undefined;
  /** Whether the configuration reads the address of the upstream from `OFFPRINT_URL`. */
  readsUrl: boolean;
  /** Minute of the hour at which a schedule runs first; an odd one below 30. */
  minute: number;
}

/** What the recipe of a project has to know, where its configuration is still to be written. */
export function plannedFacts(host: CiHost, project: string, readsUrl: boolean): RecipeFacts {
  const outputDir = host === "netlify" || host === "vercel" ? keptBelowPackages : "output";
  return { outputDir, contentDir: `${outputDir}/content`, readsUrl, minute: scheduleMinute(project) };
}

/**
 * What the recipe of a project has to know, as its configuration says it. What that does not say, or says in a form that
 * only a sync can read, is as by default: the recipe is written for people, who read it.
 */
export function factsOf(configText: string, project: string): RecipeFacts {
  let document: unknown;
  try {
    document = parse(configText, { logLevel: "silent" });
  } catch {
    // A file that is no YAML is what the next sync tells.
  }
  const folder = (section: string): string | undefined => {
    const value = isObject(document) ? document[section] : undefined;
    const dir = isObject(value) ? value.dir : undefined;
    return typeof dir === "string" && /^[\w./@-]+$/.test(dir) ? dir.replace(/^\.\/|\/+$/g, "") : undefined;
  };
  const outputDir = folder("output") ?? "output";
  const assetsDir = folder("assets");
  return {
    outputDir,
    contentDir: folder("content") ?? `${outputDir}/content`,
    ...(assetsDir !== undefined && !isBelow(assetsDir, outputDir) && { assetsDir }),
    readsUrl: configText.includes("${OFFPRINT_URL"),
    minute: scheduleMinute(project),
  };
}

/** An odd minute below 30 that follows from a name, always the same: at full hours everybody's schedules run. */
export function scheduleMinute(project: string): number {
  return (createHash("sha256").update(project).digest().readUInt16BE(0) % 15) * 2 + 1;
}

/** The file that a host reads, and its text. docs/operations.md explains each line. */
export function ciRecipe(host: CiHost, facts: RecipeFacts): { name: string; text: string } {
  return { name: names[host], text: texts[host](facts) };
}

const names: Readonly<Record<CiHost, string>> = {
  github: ".github/workflows/content-sync.yml",
  gitlab: ".gitlab-ci.yml",
  netlify: "netlify.toml",
  vercel: "vercel.json",
};

const texts: Readonly<Record<CiHost, (facts: RecipeFacts) => string>> = {
  github: githubWorkflow,
  gitlab: gitlabPipeline,
  netlify: netlifySettings,
  vercel: vercelSettings,
};

function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

/** The snapshot, and the content tree and images where they lie elsewhere: kept together, or neither fits the other. */
function keptFolders({ outputDir, contentDir, assetsDir }: RecipeFacts): string[] {
  return [outputDir, contentDir, assetsDir ?? outputDir].filter(
    (path, at) => at === 0 || (path !== outputDir && !isBelow(path, outputDir)),
  );
}

function githubWorkflow(facts: RecipeFacts): string {
  const { outputDir, contentDir, readsUrl, minute } = facts;
  const paths = keptFolders(facts)
    .map((path) => `            ${path}\n`)
    .join("");
  const hash = `hashFiles('${outputDir}/manifest.json', '${contentDir}/index.json')`;
  return `# Builds and deploys the site when its code or its content is not what is deployed. docs/operations.md of offprint explains it.
# In the settings of the repository: the secret OFFPRINT_TOKEN${readsUrl ? ", the variables OFFPRINT_URL and" : " and the variable"} SITE_URL (https://www.example.com).
name: content

on:
  push:
    branches: [main]
  # GitHub starts these late, by hours when it is busy. What has to be sooner comes by the event below.
  schedule:
    - cron: "${minute},${minute + 30} * * * *"
  # POST /repos/{owner}/{repo}/dispatches {"event_type":"content"}
  repository_dispatch:
    types: [content]
  # Builds in any case.
  workflow_dispatch:

permissions:
  contents: read

# One at a time; one that runs is never cut off.
concurrency:
  group: content
  cancel-in-progress: false

jobs:
  site:
    runs-on: ubuntu-latest
    timeout-minutes: 30
    env:
      SITE_URL: \${{ vars.SITE_URL }}
${readsUrl ? "      OFFPRINT_URL: ${{ vars.OFFPRINT_URL }}\n" : ""}      SITE_DIR: dist # what \`npm run build\` writes
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-node@v4
        with:
          node-version: 20
          cache: npm
      - run: npm ci

      # Only what changed since the last run is read. What comes back damaged is read again.
      - id: day
        run: echo "day=$(date -u +%F)" >> "$GITHUB_OUTPUT"
      - id: cache
        uses: actions/cache/restore@v4
        with:
          path: |
${paths}          key: offprint-newest
          restore-keys: offprint-
      - id: sync
        run: npx offprint sync --allow-stale 48h
        env:
          OFFPRINT_TOKEN: \${{ secrets.OFFPRINT_TOKEN }}
      # One entry for each generation, and one a day; before the first generation, one for what each run has read so far.
      - id: key
        if: \${{ !cancelled() }}
        run: echo "key=offprint-\${{ steps.day.outputs.day }}-\${{ ${hash} || github.run_id }}" >> "$GITHUB_OUTPUT"
      - if: \${{ !cancelled() && steps.key.outputs.key != steps.cache.outputs.cache-matched-key }}
        uses: actions/cache/save@v4
        with:
          path: |
${paths}          key: \${{ steps.key.outputs.key }}

      - id: deployed
        run: |
          build=true
          if [ "$GITHUB_EVENT_NAME" != workflow_dispatch ] && [ "$(curl -fsS --max-time 20 "$SITE_URL/commit.txt")" = "$GITHUB_SHA" ]; then
            code=0
            npx offprint status --offline --since "$SITE_URL/offprint.json" --exit-code || code=$?
            if [ "$code" -eq 9 ]; then build=false; fi
          fi
          echo "build=$build" >> "$GITHUB_OUTPUT"

      - if: \${{ steps.deployed.outputs.build == 'true' }}
        run: |
          npm run build
          cp ${contentDir}/index.json "$SITE_DIR/offprint.json"
          echo "$GITHUB_SHA" > "$SITE_DIR/commit.txt"
        env:
          OFFPRINT_TOKEN: \${{ secrets.OFFPRINT_TOKEN }}
      - if: \${{ steps.deployed.outputs.build == 'true' }}
        run: npm run deploy # whatever brings $SITE_DIR to its host
`;
}

function gitlabPipeline(facts: RecipeFacts): string {
  const { contentDir, readsUrl, minute } = facts;
  const paths = keptFolders(facts)
    .map((path) => `      - ${path}/\n`)
    .join("");
  return `# Builds and deploys the site when its code or its content is not what is deployed. docs/operations.md of offprint explains it.
# In the settings of the project: the masked variable OFFPRINT_TOKEN${readsUrl ? ", the variables OFFPRINT_URL and" : " and the variable"} SITE_URL (https://www.example.com),
# and a pipeline schedule: ${minute},${minute + 30} * * * *
content:
  image: node:20
  rules:
    - if: $CI_COMMIT_BRANCH == $CI_DEFAULT_BRANCH
  # One at a time.
  resource_group: content
  timeout: 30m
  variables:
    SITE_DIR: dist # what \`npm run build\` writes
  # One entry, which each run replaces; after a failure too, so that what was read so far is not read again.
  cache:
    key: offprint
    when: always
    paths:
${paths}  script:
    - npm ci
    - npx offprint sync --allow-stale 48h
    # A pipeline that somebody starts by hand builds in any case.
    - |
      if [ "$CI_PIPELINE_SOURCE" != web ] && [ "$(curl -fsS --max-time 20 "$SITE_URL/commit.txt")" = "$CI_COMMIT_SHA" ]; then
        code=0
        npx offprint status --offline --since "$SITE_URL/offprint.json" --exit-code || code=$?
        if [ "$code" -eq 9 ]; then exit 0; fi
      fi
    - npm run build
    - cp ${contentDir}/index.json "$SITE_DIR/offprint.json"
    - echo "$CI_COMMIT_SHA" > "$SITE_DIR/commit.txt"
    - npm run deploy # whatever brings $SITE_DIR to its host
`;
}

function netlifySettings({ contentDir, readsUrl }: RecipeFacts): string {
  return `# Builds the site with its content. docs/operations.md of offprint explains it.
# In the settings of the site: the secret variable OFFPRINT_TOKEN${readsUrl ? ", and OFFPRINT_URL" : ""}.
# The snapshot lies below node_modules, which Netlify keeps between builds: output.dir in sync.config.yaml.
[build]
  publish = "dist" # what \`npm run build\` writes
  command = '''
    npx offprint sync --allow-stale 48h &&
    npm run build &&
    cp ${contentDir}/index.json dist/offprint.json &&
    echo "$COMMIT_REF" > dist/commit.txt
  '''
  # 0: no build. For a build hook Netlify builds whatever this says: who calls the hook decides whether content is to be deployed.
  ignore = '''
    [ "$(curl -fsS --max-time 20 "$URL/commit.txt")" = "$COMMIT_REF" ]
  '''

[build.environment]
  NODE_VERSION = "20"
`;
}

/** JSON has no comments, and Vercel takes no more than 256 characters of a command: the reasons stand in docs/operations.md. */
function vercelSettings({ contentDir }: RecipeFacts): string {
  const site = "https://$VERCEL_PROJECT_PRODUCTION_URL";
  const settings = {
    $schema: "https://openapi.vercel.sh/vercel.json",
    outputDirectory: "dist",
    buildCommand: `npx offprint sync --allow-stale 48h && npm run build && cp ${contentDir}/index.json dist/offprint.json && echo $VERCEL_GIT_COMMIT_SHA > dist/commit.txt`,
    ignoreCommand: `s=${site}; [ "$(curl -fsS $s/commit.txt)" = $VERCEL_GIT_COMMIT_SHA ] && npm ci && npx offprint sync && { npx offprint status --offline --since $s/offprint.json --exit-code; [ $? -eq 9 ]; }`,
  };
  return `${JSON.stringify(settings, undefined, 2)}\n`;
}
