import { type ChildProcess, spawn } from "node:child_process";
import { cp, readFile, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { parse } from "yaml";
import { purgeRequests } from "../src/index.js";
import { copyExample, installExample, placeOf, runExample } from "./example-copy.js";

/**
 * Whether Next's server shows no stale page after the tags of `offprint changes` are purged: builds `scripts/next-tags`, whose
 * pages have the tags of `Snapshot.track`, starts it, and after each edit purges and requests every page.
 *
 * @throws Error where a page is stale
 */
export async function tryNextTags(folder: string, tarball: string): Promise<void> {
  const major = { example: "next" };
  await copyExample(major, folder, tarball);
  for (const name of ["app", "components"]) await rm(join(folder, name), { recursive: true });
  await cp(resolve(import.meta.dirname, "../../scripts/next-tags"), folder, { recursive: true });
  const config = join(folder, "sync.config.yaml");
  const { source, ...settings } = parse(await readFile(config, "utf8"));
  const include = { startsWith: ["home", "press/", "newsroom/", "help/", "glossary/"] };
  await writeFile(config, JSON.stringify({ ...settings, source: { ...source, include } }));
  await installExample(major, folder);
  await runExample("npm", ["run", "build"], folder);
  const token = "a-token-of-the-trial";
  const server = await startServer(folder, token);
  try {
    const lines: string[] = [];
    let before = await requestPages(server.url, await paths(folder));
    for (const [kind, what] of edits) {
      await offprint(["demo", "--edit", kind], folder);
      await offprint(["sync"], folder);
      const { tags } = JSON.parse((await offprint(["changes"], folder)).split("\n")[0] ?? "") as { tags: string[] };
      for (const { url, ...request } of purgeRequests("next", tags, { url: `${server.url}/purge`, token })) {
        const { status } = await fetch(url, request);
        if (status !== 200) throw new Error(`the purge is answered with ${status}`);
      }
      const after = await requestPages(server.url, [...new Set([...before.keys(), ...(await paths(folder))])]);
      await checkPages(server.url, what, after);
      const kept = [...after].filter(([path, { rendering }]) => before.get(path)?.rendering === rendering);
      lines.push(`${what}: ${after.size - kept.length} of ${after.size} rendered`);
      if (kept.length === 0) throw new Error(`after ${what}, no page is kept`);
      before = after;
    }
    process.stdout.write(`✔ next-tags: ${lines.join("; ")}\n`);
  } finally {
    server.child.kill();
  }
}

const edits = [
  ["publish", "a title"],
  ["rename", "a renamed folder"],
  ["delete", "a deleted story"],
  ["datasource", "a label"],
] as const;

function offprint(args: readonly string[], folder: string): Promise<string> {
  return runExample("npx", ["--no-install", "offprint", ...args, "--quiet"], folder);
}

/** The paths of the stories in the default language. */
async function paths(folder: string): Promise<string[]> {
  const links: { editions: Record<string, { url: string }> }[] = JSON.parse(
    await readFile(join(folder, "output/content/links.json"), "utf8"),
  );
  return links.flatMap(({ editions }) => editions["published/default"]?.url ?? []);
}

interface ShownPage {
  /** What the page shows, as JSON. */
  shown: string;
  /** Another one each time that it is rendered. */
  rendering: string;
}

async function requestPages(server: string, all: readonly string[]): Promise<Map<string, ShownPage>> {
  const pages = new Map<string, ShownPage>();
  for (const path of all) {
    const html = await (await fetch(server + path)).text();
    const [, shown = "", rendering = ""] = /data-shown="([^"]*)" data-rendering="([^"]*)"/.exec(html) ?? [];
    if (rendering === "") throw new Error(`${path} shows no page:\n${html.slice(0, 1000)}`);
    pages.set(path, { shown: Buffer.from(shown, "base64").toString(), rendering });
  }
  return pages;
}

/** @throws Error for a page that does not show what the snapshot has now */
async function checkPages(server: string, what: string, pages: ReadonlyMap<string, ShownPage>): Promise<void> {
  const stale: string[] = [];
  for (const [path, { shown }] of pages) {
    const fresh = await (await fetch(`${server}/fresh?path=${encodeURIComponent(path)}`)).text();
    if (fresh !== shown) stale.push(path);
  }
  if (stale.length > 0) throw new Error(`after ${what}, stale: ${stale.slice(0, 10).join(", ")}`);
}

/** Next's server at a port of its own. */
function startServer(folder: string, token: string): Promise<{ child: ChildProcess; url: string }> {
  const { cwd, env } = placeOf(folder);
  const program = join(folder, "node_modules/next/dist/bin/next");
  const child = spawn(process.execPath, [program, "start", "--port", "0"], {
    cwd,
    env: { ...env, PURGE_TOKEN: token },
    stdio: ["ignore", "pipe", "pipe"],
  });
  return new Promise((done, fail) => {
    let text = "";
    const look = (chunk: Buffer) => {
      text += chunk;
      const url = /http:\/\/localhost:\d+/.exec(text)?.[0];
      if (url !== undefined && text.includes("Ready")) done({ child, url });
    };
    child.stdout.on("data", look);
    child.stderr.on("data", look);
    child.on("exit", () => fail(new Error(`next start ended: ${text}`)));
  });
}
