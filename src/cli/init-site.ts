import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { configFileName } from "../config/config-file.js";
import { OffprintError } from "../lib/errors.js";
import type { CommandContext } from "./context.js";
import { detectFramework, type FrameworkName, frameworkNames, frameworks, isFrameworkName } from "./init/frameworks.js";
import { readPackageJson } from "./init/package-json.js";
import { type FileChange, filesOf, planSite, type SitePlan, type SitePlanOptions } from "./init/site-plan.js";
import { firstSite, fullSite, listedFolders, type Project, type SiteTemplate } from "./init/sites/framework.js";
import { assertInside, assertWritable, exists, readText, rewrite, write } from "./project-files.js";
import { chosenSource, type InitFlags } from "./source-choice.js";

/** `offprint init --site`: plans what the project needs and writes it, or prints it with `--dry-run`. */
export async function runInitSite(context: CommandContext, folder: string, flags: InitFlags): Promise<number> {
  const project = await readProject(folder);
  const chosen = chosenFramework(flags.site, project);
  const framework = frameworks[chosen.name];
  const template = flags.full === true ? fullSite(chosen.name, framework, project) : firstSite(framework, project);
  const asks = flags.force === true || !(await exists(join(folder, configFileName)));
  const source = await chosenSource({ ...context, isAttended: context.isAttended && asks }, flags);
  const options: SitePlanOptions = {
    ...source,
    force: flags.force === true,
    framework: chosen.name,
    ignored: framework.ignored,
  };
  const plan = planSite(template, project, await readTexts(folder, template, options), options);
  const changed = plan.changes.filter(({ kind }) => kind !== "keep" && kind !== "unchanged");
  await assertInside(
    folder,
    changed.map(({ path }) => path),
  );
  if (flags.dryRun !== true) await carryOut(plan, folder);
  report(context, chosen, plan, flags.dryRun === true);
  return 0;
}

async function readProject(folder: string): Promise<Project> {
  const listed = await Promise.all(
    ["", ...listedFolders].map(async (name) => {
      const names = await readdir(join(folder, name)).catch(() => []);
      return names.map((one) => (name === "" ? one : `${name}/${one}`));
    }),
  );
  const paths = new Set(listed.flat());
  const packageText = paths.has("package.json") ? await readText(join(folder, "package.json")) : undefined;
  const configFiles = Object.values(frameworks).flatMap(({ configFiles }) => configFiles);
  const configTexts = new Map<string, string>();
  for (const path of configFiles.filter((path) => paths.has(path))) {
    configTexts.set(path, (await readText(join(folder, path))) ?? "");
  }
  return { paths, configTexts, packageJson: packageText === undefined ? undefined : readPackageJson(packageText) };
}

/** @throws OffprintError `USAGE` for an unknown framework; `PROJECT_UNUSABLE` if none is detected */
function chosenFramework(
  site: string | true | undefined,
  project: Project,
): { name: FrameworkName; shownBy?: string | undefined } {
  const chosen =
    site === undefined || site === true ? detectFramework(project) : isFrameworkName(site) ? { name: site } : undefined;
  if (chosen === undefined) {
    throw new OffprintError("USAGE", `There is no site ${JSON.stringify(site)}.`, {
      hint: `Sites: ${frameworkNames.join(", ")}. Without a name, the framework of the project is found out.`,
    });
  }
  const needsPackage = frameworks[chosen.name].packages.length > 0 && chosen.name !== "hugo";
  if (needsPackage && project.packageJson === undefined) {
    const hint = "Run the command in the folder of the site, or make one first.";
    const message = `There is no package.json in this folder, which a site of ${frameworks[chosen.name].label} has.`;
    throw new OffprintError("PROJECT_UNUSABLE", message, { hint });
  }
  return chosen;
}

async function readTexts(
  folder: string,
  template: SiteTemplate,
  options: SitePlanOptions,
): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  const files = [...filesOf(template, options), ...(template.removed ?? [])];
  for (const path of [...files.map((file) => file.path), "package.json", ".gitignore"]) {
    const text = await readText(join(folder, path));
    if (text !== undefined) texts.set(path, text);
  }
  return texts;
}

/** Checks the existing files first, so that nothing is written if one of them cannot be. */
async function carryOut({ changes }: SitePlan, folder: string): Promise<void> {
  for (const { kind, path } of changes) {
    if (kind === "add" || kind === "replace" || kind === "remove") await assertWritable(join(folder, path));
  }
  for (const change of changes) {
    if (change.kind === "write") await write(folder, change.path, change.text);
    if (change.kind === "add" || change.kind === "replace") await rewrite(folder, change.path, change.text);
    if (change.kind === "remove") await rm(join(folder, change.path));
  }
}

function report(
  { terminal, spelled }: CommandContext,
  { name, shownBy }: ReturnType<typeof chosenFramework>,
  plan: SitePlan,
  dryRun: boolean,
): void {
  terminal.say(
    `${frameworks[name].label}${shownBy === undefined ? "" : `, shown by ${shownBy}`}${dryRun ? "; nothing is written" : ""}`,
  );
  for (const change of plan.changes) {
    terminal.say(changeLine(change, dryRun, terminal.paint("green", "✔")));
    if (dryRun && "text" in change) terminal.detail(change.text);
  }
  if (plan.byHand.length > 0) terminal.say("By hand:");
  for (const line of plan.byHand.flatMap((sentence) => sentence.split("\n"))) terminal.say(`  ${line}`);
  terminal.say("Next:");
  plan.next.forEach((step, at) => {
    terminal.say(`  ${at + 1}. ${step}`);
  });
  const pathsOf = (...kinds: FileChange["kind"][]) =>
    plan.changes.filter(({ kind }) => kinds.includes(kind)).map(({ path }) => path);
  terminal.document({
    schema: 1,
    site: name,
    dryRun,
    written: pathsOf("write", "replace", "add"),
    removed: pathsOf("remove"),
    unchanged: pathsOf("unchanged"),
    kept: pathsOf("keep"),
    ...(dryRun && { changes: plan.changes }),
    byHand: plan.byHand,
    next: plan.next.map(spelled),
  });
}

function changeLine(change: FileChange, dryRun: boolean, mark: string): string {
  const { kind, path } = change;
  if (kind === "unchanged") return `= ${path} needs no change`;
  if (kind === "keep") return `= kept ${path}, which is there already (--force replaces it)`;
  const [will, did] = {
    write: ["write", "wrote"],
    replace: ["replace", "replaced"],
    add: ["add to", "added to"],
    remove: ["remove", "removed"],
  }[kind];
  const what = kind === "add" ? `${path}: ${change.added.join(", ")}` : path;
  return dryRun ? `+ would ${will} ${what}` : `${mark} ${did} ${what}`;
}
