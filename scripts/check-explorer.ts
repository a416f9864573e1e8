import { spawn, spawnSync } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Browser, Page } from "playwright-core";
import { edits, questions, Visitor } from "./explorer-questions.js";
import { startHostileExplorer } from "./hostile-explorer.js";
import { launchBrowser } from "./launch-browser.js";

/**
 * Looks at the explorer with a real browser: the demo space with edits, and a space whose every text is a script.
 * `--screenshots` writes the pictures of docs/explorer.md, `--out <folder>` those of all pages at each width.
 */

const root = resolve(import.meta.dirname, "../..");
const program = join(root, "dist/cli/main.js");
const token = "token-of-the-check";
const widths = [360, 390, 768, 1280] as const;
const failures: string[] = [];
const check = (isRight: boolean, what: string): void => {
  process.stdout.write(`${isRight ? "✔" : "✖"} ${what}\n`);
  if (!isRight) failures.push(what);
};

interface Served {
  url: string;
  stop(): void;
}

async function main(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "offprint-explorer-"));
  const browser = await launchBrowser();
  const served = await serveDemo(folder);
  try {
    await checkDemo(browser, served.url);
    await answerQuestions(browser, served.url);
    await findListsOnPhones(browser, served.url);
    await readWithoutScript(browser, served.url);
    await takePictures(browser, served.url);
    await checkHostile(browser);
  } finally {
    served.stop();
    await browser.close();
    await rm(folder, { recursive: true, force: true });
  }
  if (failures.length > 0) {
    process.stdout.write(`${failures.length} checks failed\n`);
    process.exitCode = 1;
  }
}

/** The demo space with a few edits, synced after each of them, and served. */
async function serveDemo(folder: string): Promise<Served> {
  const config = `source: { url: "demo:", token: demo, versions: [published, draft] }
assets: { download: true }
output: { keepGenerations: 10 }
serve: { tokens: { preview: [${token}] } }
`;
  await writeFile(join(folder, "sync.config.yaml"), config);
  const run = (...args: string[]) => {
    const { status, stderr } = spawnSync(process.execPath, [program, ...args], { cwd: folder, encoding: "utf8" });
    if (status !== 0) throw new Error(`offprint ${args.join(" ")} ended with ${status}: ${stderr}`);
  };
  run("sync");
  for (const edit of edits) {
    run("demo", "--edit", edit);
    run("sync");
  }
  const child = spawn(process.execPath, [program, "serve", "--explorer", "--port", "0", "--json"], { cwd: folder });
  const url = await new Promise<string>((done, failed) => {
    let text = "";
    child.stdout.on("data", (piece: Buffer) => {
      text += piece.toString();
      const [, found] = /"url": "([^"]+)"/.exec(text) ?? [];
      if (found !== undefined) done(found);
    });
    child.on("exit", (code) => failed(new Error(`serve ended with ${code}`)));
  });
  return { url, stop: () => child.kill("SIGTERM") };
}

/** A page that notes what must not happen: requests that fail or leave this machine, refused by the policy, errors, dialogs. */
async function watched(
  browser: Browser,
  url: string,
  options: object = {},
): Promise<{ page: Page; problems: string[] }> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const problems: string[] = [];
  page.on("requestfailed", (request) => {
    // What the next page makes needless is given up.
    if (request.failure()?.errorText !== "net::ERR_ABORTED") problems.push(`failed: ${request.url()}`);
  });
  page.on("request", (request) => {
    if (!request.url().startsWith(url) && !request.url().startsWith("data:")) problems.push(`leaves: ${request.url()}`);
  });
  page.on("response", (response) => {
    if (response.status() >= 400) problems.push(`${response.status()}: ${response.url()}`);
  });
  page.on("console", (message) => {
    if (message.type() === "error" || /content security policy/i.test(message.text())) problems.push(message.text());
  });
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("dialog", (dialog) => {
    problems.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  return { page, problems };
}

const open = (page: Page, url: string, path = "") =>
  page.goto(`${url}/_explorer/${path}${path.includes("?") ? "&" : "?"}token=${token}`);

/** The pages that are looked at: one of each kind. */
async function pathsOf(page: Page, url: string): Promise<Record<string, string>> {
  await open(page, url);
  const hrefs = async (path: string, selector: string) => {
    await complete(page, `${url}/_explorer/${path}`, "networkidle");
    return page.locator(selector).evaluateAll((links) => links.map((link) => (link as { href?: string }).href ?? ""));
  };
  const below = (address: string | undefined) => {
    if (!address) throw new Error("a list that has links has none");
    return address.replace(`${url}/_explorer/`, "");
  };
  const story = (await hrefs("compare?from=1&edition=published/default", 'td a:has-text("lamp over the door")'))[0];
  const pictured = (await hrefs("stories?type=article", "td a"))[0];
  const furniture = (await hrefs("stories?q=glossary/furniture", "td a"))[0];
  const affected = furniture?.replace("/stories/", "/compare/").replace(/(?:\?.*)?$/, "?from=1");
  const asset = (await hrefs("assets?show=picture", ".gallery a"))[0];
  return {
    state: "",
    stories: "stories",
    folder: "stories?folder=journal",
    story: below(pictured),
    languages: `${below(pictured).replace(/\?.*/, "")}/languages`,
    compare: "compare?from=1",
    difference: below(story),
    assets: "assets",
    asset: below(asset),
    usage: "usage",
    block: "usage?component=hero",
    unused: "usage?show=unused",
    shownChange: below(affected),
    problems: "problems",
    newProblems: "problems?show=new",
    untold: "assets?show=untold",
    runs: "runs",
    syncProblems: "problems?show=sync",
    languageCounts: "languages",
    search: "search?q=lamp",
  };
}

/**
 * In the page: what stands out of the window or of its own box, with no scrolling of its own or around it. Opens what is
 * folded first. Leaves out what is only for screen readers.
 */
const findCut = `(() => {
  for (const details of document.querySelectorAll("details")) details.open = true;
  const scrolls = (element) => /auto|scroll/.test(getComputedStyle(element).overflowX);
  const isHidden = (element) => element.closest(".hidden, .skip, thead, svg, [hidden]") && innerWidth <= 640
    || element.closest(".hidden, .skip, svg, [hidden]");
  const around = (element) => element && (scrolls(element) || around(element.parentElement));
  const cut = [];
  if (document.documentElement.scrollWidth > innerWidth) cut.push("the page: " + document.documentElement.scrollWidth);
  for (const element of document.body.querySelectorAll("*")) {
    if (isHidden(element) || around(element)) continue;
    const { left, right, width } = element.getBoundingClientRect();
    const isOutside = width > 0 && (right > innerWidth + 1 || left < -1);
    const isBox = getComputedStyle(element).display !== "inline" && !/^(?:SELECT|INPUT|METER)$/.test(element.tagName);
    const isWider = isBox && element.clientWidth > 0 && element.scrollWidth > element.clientWidth + 1;
    if (isOutside || isWider) cut.push(element.outerHTML.slice(0, 100));
  }
  return cut;
})()`;

async function checkDemo(browser: Browser, url: string): Promise<void> {
  const { page, problems } = await watched(browser, url);
  const answer = await open(page, url, "stories");
  check(page.url() === `${url}/_explorer/stories`, "a token in the address is exchanged, and the address has none");
  const cookies = await page.context().cookies();
  const [cookie] = cookies;
  check(
    cookies.length === 1 &&
      cookie?.httpOnly === true &&
      cookie.sameSite === "Strict" &&
      cookie.path === "/_explorer" &&
      !cookie.value.includes(token),
    "its cookie is HttpOnly, strict, for the explorer alone, and does not contain it",
  );
  check(/default-src 'none'/.test(answer?.headers()["content-security-policy"] ?? ""), "pages carry the policy");
  const axe = await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
  for (const [name, path] of Object.entries(await pathsOf(page, url))) {
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await complete(page, `${url}/_explorer/${path}`, "networkidle");
      const serious = await axeProblems(page, axe);
      check(serious.length === 0, `${name}, ${colorScheme}: axe finds nothing serious ${serious.join("; ")}`);
      for (const width of widths) {
        await page.setViewportSize({ width, height: 900 });
        const cut = (await page.evaluate(findCut)) as string[];
        check(cut.length === 0, `${name}, ${colorScheme}: nothing is cut at ${width} px ${cut.slice(0, 3).join("; ")}`);
      }
    }
  }
  check(
    problems.length === 0,
    `no request failed, none left this machine, nothing was refused ${problems.slice(0, 5).join("; ")}`,
  );
  await page.goto(`${url}/_explorer/stories`);
  await page.keyboard.press("/");
  await page.keyboard.type("journal");
  await page.locator("#found a").first().waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("Enter");
  await page.waitForURL(/stories\/[0-9a-f-]{36}/);
  check(true, "search as one types works with the keyboard alone");
  await page.context().close();
}

/**
 * Goes to a page, again until it is complete. The page may load itself again meanwhile, which aborts what is under way.
 *
 * @returns the status of its answer
 */
async function complete(page: Page, url: string, waitUntil: "load" | "networkidle"): Promise<number | undefined> {
  for (;;) {
    const answer = await page.goto(url, { waitUntil }).catch((error: Error) => {
      if (!/ERR_ABORTED|interrupted by another navigation/.test(error.message)) throw error;
    });
    if (answer && (await page.locator("[data-again]").count()) === 0) return answer.status();
  }
}

/** Messages of serious and critical findings. The policy keeps scripts out of pages, so axe comes over the debugger's own way. */
async function axeProblems(page: Page, axe: string): Promise<string[]> {
  await page.evaluate(axe);
  const found = (await page.evaluate(
    "axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations.map(({ id, impact, nodes }) => ({ id, impact, html: nodes[0].html.slice(0, 120) })))",
  )) as { id: string; impact: string; html: string }[];
  return found
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, html }) => `${id} ${html}`);
}

/** Those who look: on a phone by day and at a desk by night at all questions, in other ways at a share of them in turn. */
const looks = widths.flatMap((width) => [
  { width, colorScheme: "light" as const },
  { width, colorScheme: "dark" as const },
]);
const whole = new Set(["360 light", "1280 dark"]);

/** The questions that people ask day by day, each by clicking as they do. */
async function answerQuestions(browser: Browser, url: string): Promise<void> {
  for (const [place, { width, colorScheme }] of looks.entries()) {
    const { page, problems } = await watched(browser, url, { viewport: { width, height: 740 }, colorScheme });
    const isWhole = whole.has(`${width} ${colorScheme}`);
    for (const { asked, find, answers } of questions.filter((_, at) => isWhole || at % looks.length === place)) {
      await open(page, url);
      const visitor = new Visitor(page);
      const failure = await find(visitor).then(() => "", String);
      const seen = await visitor.seen();
      const missing = answers.filter((answer) => !answer.test(seen)).map(String);
      const isAnswered = failure === "" && visitor.clicks <= 3 && missing.length === 0;
      const lacks = isAnswered ? "" : [failure, ...missing].join("; ");
      check(isAnswered, `${asked} ${visitor.clicks} clicks at ${width} px, ${colorScheme} ${lacks}`);
    }
    check(problems.length === 0, `questions at ${width} px, ${colorScheme}: nothing failed ${problems.join("; ")}`);
    await page.context().close();
  }
}

/** Where the first item of each list is on a phone, without script. */
const firstItems: Readonly<Record<string, string>> = {
  "": ".tiles li",
  stories: "tbody tr",
  languages: "tbody tr",
  "search?q=lamp": "main li a",
  "compare?from=1": "tbody tr",
  assets: ".gallery li",
  usage: "tbody tr",
  "usage?show=unused": ".problems li",
  problems: ".problems li",
  "problems?show=new": ".problems li",
  "problems?show=sync": ".problems li",
  runs: ".tiles li",
};

async function findListsOnPhones(browser: Browser, url: string): Promise<void> {
  const height = 740;
  const viewport = { width: 360, height };
  const { page } = await watched(browser, url, { javaScriptEnabled: false, viewport });
  await open(page, url);
  for (const [path, selector] of Object.entries(firstItems)) {
    await complete(page, `${url}/_explorer/${path}`, "load");
    const box = await page.locator(selector).first().boundingBox();
    const end = Math.round((box?.y ?? height) + Math.min(box?.height ?? 0, 60));
    check(
      end <= height,
      `${path || "state"}: the list begins on the first screen of a phone, at ${end} of ${height} px`,
    );
  }
  await page.goto(`${url}/_explorer/stories`);
  const filters = page.locator(".facets");
  const isFolded = !(await filters.getByRole("link").first().isVisible());
  await filters.getByText("Filters", { exact: true }).click();
  const isOpen = await filters.getByRole("link").first().isVisible();
  check(isFolded && isOpen, "without script: filters are folded on a phone, and a click opens them");
  await page.context().close();
}

async function readWithoutScript(browser: Browser, url: string): Promise<void> {
  const { page, problems } = await watched(browser, url, { javaScriptEnabled: false });
  await open(page, url);
  await page.fill("#q", "journal");
  await page.press("#q", "Enter");
  await page.waitForURL(/stories\?q=journal/);
  check((await page.locator("td a").count()) > 0, "without script: the search finds stories");
  await page.locator("td a").first().click();
  check((await page.locator(".fields dt").count()) > 0, "without script: a story shows its fields");
  for (const path of ["compare?from=1", "assets", "usage", "problems", "runs"]) {
    const answer = await page.goto(`${url}/_explorer/${path}`);
    check(answer?.status() === 200 && (await page.locator("h1").count()) === 1, `without script: ${path}`);
  }
  check(problems.length === 0, `without script: nothing failed ${problems.slice(0, 3).join("; ")}`);
  await page.context().close();
}

async function takePictures(browser: Browser, url: string): Promise<void> {
  const at = process.argv.indexOf("--out");
  const folder = at < 0 ? undefined : process.argv[at + 1];
  const forDocs = process.argv.includes("--screenshots");
  if (folder === undefined && !forDocs) return;
  const { page } = await watched(browser, url);
  const paths = await pathsOf(page, url);
  const picture = async (
    name: string,
    path: string,
    file: string,
    options: { width: number; height: number; full: boolean; scheme: "light" | "dark" },
  ) => {
    await page.emulateMedia({ colorScheme: options.scheme });
    await page.setViewportSize({ width: options.width, height: options.height });
    await complete(page, `${url}/_explorer/${path}`, "networkidle");
    await page.screenshot({ path: join(file, `${name}.png`), fullPage: options.full });
  };
  if (folder !== undefined) {
    await mkdir(folder, { recursive: true });
    for (const [name, path] of Object.entries(paths)) {
      for (const width of widths) {
        for (const scheme of ["light", "dark"] as const) {
          await picture(`${name}-${width}-${scheme}`, path, folder, { width, height: 1000, full: false, scheme });
        }
      }
    }
  }
  if (forDocs) {
    const images = join(root, "docs/images");
    await mkdir(images, { recursive: true });
    for (const name of ["state", "stories", "story", "difference", "assets", "asset", "problems"]) {
      await picture(`explorer-${name}`, paths[name]!, images, {
        width: 1100,
        height: 760,
        full: false,
        scheme: name === "difference" ? "dark" : "light",
      });
    }
  }
  await page.context().close();
}

/** A space whose every text is a script: none runs, and the policy has nothing to refuse. */
async function checkHostile(browser: Browser): Promise<void> {
  const hostile = await startHostileExplorer(token);
  try {
    const { page, problems } = await watched(browser, hostile.url);
    await open(page, hostile.url);
    const found = { pages: 0, ran: 0, active: 0 };
    const activeParts =
      'a[href^="javascript:" i], [style], [onclick], [onerror], [onload], iframe, object, embed, base';
    for (const path of hostile.paths) {
      const status = await complete(page, `${hostile.url}/_explorer/${path}`, "load");
      if (status !== 200) check(false, `hostile space: ${path} answers ${status}`);
      found.pages++;
      found.ran += Number(await page.evaluate("window.ran ?? 0"));
      found.active += await page.locator(activeParts).count();
    }
    check(
      found.ran === 0 && problems.length === 0,
      `hostile space: ${hostile.payloads} payloads on ${found.pages} pages, none ran ${problems.slice(0, 5).join("; ")}`,
    );
    check(found.active === 0, "hostile space: no link, attribute or element could run anything");
    await page.context().close();
  } finally {
    await hostile.stop();
  }
}

await main();
