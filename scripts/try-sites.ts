import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { readMarkdown } from "../src/content/tree/verify-content.js";
import { needProgram, type ProcessPlace, runWell } from "./run-process.js";
import { markdownFolder, type SiteBuild, siteBuilds } from "./site-builds.js";

/**
 * `npm run sites:try [-- hugo …]`: exports the demo space for each generator, builds a site of it with the generator
 * itself, and looks at what came out. Needs the npm registry, and for Hugo `apt-get` where it is not installed; what a
 * generator refuses or leaves out ends it with exit code 1.
 */
async function main(args: readonly string[]): Promise<void> {
  const names = args.length > 0 ? args : Object.keys(siteBuilds);
  const unknown = names.filter((name) => !Object.hasOwn(siteBuilds, name));
  if (unknown.length > 0)
    throw new Error(`No site ${unknown.join(", ")}; there are ${Object.keys(siteBuilds).join(", ")}`);
  const folder = await mkdtemp(join(tmpdir(), "offprint-sites-"));
  try {
    for (const name of names) await trySite(name, siteBuilds[name]!, join(folder, name));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function trySite(name: string, site: SiteBuild, folder: string): Promise<void> {
  const started = Date.now();
  await install(site, folder);
  for (const [path, text] of Object.entries(site.files)) await put(join(folder, path), text);
  await sync(site, folder);
  const built = Date.now();
  const [command = "", ...rest] = site.command;
  const program = command.startsWith("bin/") ? join(folder, "node_modules/.bin", command.slice(4)) : command;
  await run(program, rest, folder);
  const wrong = await problemsOf(site, folder);
  const seconds = (from: number, to: number): string => `${((to - from) / 1000).toFixed(1)} s`;
  if (wrong.length > 0) throw new Error(`${name}: ${wrong.length} wrong\n  ${wrong.slice(0, 20).join("\n  ")}`);
  const pages = (await htmlFiles(join(folder, site.output))).length;
  process.stdout.write(
    `✔ ${name}: ${pages} pages; install and sync ${seconds(started, built)}, build ${seconds(built, Date.now())}\n`,
  );
}

async function install(site: SiteBuild, folder: string): Promise<void> {
  await put(join(folder, "package.json"), '{ "private": true, "type": "module" }\n');
  if (site.packages.length > 0) {
    await run("npm", ["install", "--no-audit", "--no-fund", "--ignore-scripts", ...site.packages], folder);
    return;
  }
  await needProgram(site.command[0]!, placeOf(folder));
}

/** With drafts, published stories too: they tell which drafts say something else. */
async function sync(site: SiteBuild, folder: string): Promise<void> {
  const config = {
    source: {
      url: "demo:",
      token: "demo",
      versions: site.version === "draft" ? ["published", "draft"] : ["published"],
      settle: "0s",
    },
    output: { dir: "output" },
    content: { dir: "content", target: site.target, formats: ["markdown"] },
    assets: { download: false },
  };
  await put(join(folder, "sync.config.yaml"), JSON.stringify(config));
  const program = resolve(import.meta.dirname, "../cli/main.js");
  await run(process.execPath, [program, "sync", "--quiet"], folder);
}

/** What is not as a reader of the site expects it: each story on a page of its own, at its address, under its title. */
async function problemsOf(site: SiteBuild, folder: string): Promise<string[]> {
  const wrong: string[] = [];
  let stories = 0;
  let hidden = 0;
  const markdown = join(folder, markdownFolder[site.version]);
  for (const name of await readdir(markdown, { recursive: true })) {
    if (!name.endsWith(".md")) continue;
    stories += 1;
    const { data } = readMarkdown(await readFile(join(markdown, name), "utf8"));
    const file = site.pageFile(name, decodeURI(String(data.url)));
    const html = await readFile(join(folder, site.output, file), "utf8").catch(() => undefined);
    if (data.draft === true) {
      hidden += 1;
      if (html !== undefined) wrong.push(`${name}: a page ${file} of what is not published`);
    } else if (html === undefined) wrong.push(`${name}: no page ${file}`);
    else wrong.push(...problemsOfPage(html, site, data).map((problem) => `${name}: ${problem}`));
  }
  if (stories < 800) wrong.push(`only ${stories} stories`);
  if (hidden > 0 !== (site.version === "draft") || hidden > stories / 2) wrong.push(`${hidden} stories are hidden`);
  return wrong;
}

function problemsOfPage(html: string, site: SiteBuild, data: Readonly<Record<string, unknown>>): string[] {
  const title = String(data.title);
  const headings = headingsOf(html);
  const shows = site.layoutShowsTitle ? headings.includes(plain(title)) : headings.some((heading) => heading !== "");
  const seen = !site.layoutShowsTitle || html.includes(`data-component="${data.component}"`);
  return [
    ...(shows ? [] : [`no heading "${title}"`]),
    ...(seen ? [] : [`the layout does not see the component "${data.component}"`]),
  ];
}

function headingsOf(html: string): string[] {
  return Array.from(html.matchAll(/<h1[^>]*>([\s\S]*?)<\/h1>/g), ([, inner = ""]) => {
    return plain(inner.replace(/<a class="header-anchor"[\s\S]*?<\/a>/g, "").replace(/<[^>]*>/g, ""));
  });
}

const named = new Map([
  ["amp", "&"],
  ["lt", "<"],
  ["gt", ">"],
  ["quot", '"'],
]);

function plain(text: string): string {
  return text
    .replace(/&#x([0-9a-f]+);/gi, (_, digits: string) => String.fromCodePoint(Number.parseInt(digits, 16)))
    .replace(/&#(\d+);/g, (_, digits: string) => String.fromCodePoint(Number(digits)))
    .replace(/&(amp|lt|gt|quot);/g, (_, name: string) => named.get(name) ?? "")
    .replace(/[\s\u200b]+/g, " ")
    .trim();
}

async function htmlFiles(folder: string): Promise<string[]> {
  return (await readdir(folder, { recursive: true })).filter((name) => name.endsWith(".html"));
}

async function put(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}

function run(program: string, args: readonly string[], cwd: string): Promise<string> {
  return runWell(program, args, placeOf(cwd));
}

function placeOf(cwd: string): ProcessPlace {
  const env = { ...process.env, ASTRO_TELEMETRY_DISABLED: "1", DEBIAN_FRONTEND: "noninteractive" };
  return { cwd, env, timeoutMs: 240_000 };
}

await main(process.argv.slice(2));
