import { createHash, randomUUID } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { cp, mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { runInNewContext } from "node:vm";
import { parse } from "yaml";
import { runProcess } from "./run-process.js";

/** What GitHub would know of a run. */
export interface WorkflowRun {
  /** The checkout: what the steps work in. */
  folder: string;
  /** Of the cache, a folder for each entry; the order of their names is that in which they were saved. */
  cache: string;
  event: "push" | "schedule" | "repository_dispatch" | "workflow_dispatch";
  commit: string;
  secrets: Readonly<Record<string, string>>;
  vars: Readonly<Record<string, string>>;
  /** Of a composite action, whose steps are those of the job here. */
  inputs?: Readonly<Record<string, string>>;
  /** What every step finds beside that: PATH, and settings of npm. */
  env: NodeJS.ProcessEnv;
}

interface Step {
  id?: string;
  if?: string;
  uses?: string;
  run?: string;
  env?: Record<string, string>;
  with?: Record<string, string>;
}

/**
 * Runs the steps of the only job of a workflow one after the other, as GitHub's runner does: conditions, expressions,
 * outputs, the cache with entries that never change. `actions/checkout` and `actions/setup-node` are done already.
 *
 * @returns whether the job succeeds, what the steps printed, and which cache entry was saved
 * @throws Error for an action or an expression that it does not know
 */
export async function runWorkflow(
  text: string,
  run: WorkflowRun,
): Promise<{ isGood: boolean; text: string; saved: string | undefined }> {
  const { jobs } = parse(text) as { jobs: Record<string, { env: Record<string, string>; steps: Step[] }> };
  const [job] = Object.values(jobs);
  if (job === undefined || Object.keys(jobs).length !== 1) throw new Error("a workflow with one job");
  const steps: Record<string, { outputs: Record<string, string> }> = {};
  const printed: string[] = [];
  let isGood = true;
  let saved: string | undefined;
  for (const step of job.steps) {
    const evaluate = evaluator(run, steps);
    if (!/cancelled\(\)/.test(step.if ?? "") && !isGood) continue;
    if (step.if !== undefined && evaluate(unwrapped(step.if)) !== true) continue;
    const fill = (value: string) => filled(value, evaluate);
    if (step.run !== undefined) {
      const result = await runStep(fill(step.run), { ...run, env: stepEnv(run, job.env, step.env ?? {}, fill) });
      printed.push(result.text);
      if (step.id !== undefined) steps[step.id] = { outputs: result.outputs };
      if (result.code !== 0) isGood = false;
    } else if (step.uses?.startsWith("actions/cache/restore@")) {
      const matched = await restore(run, fill(step.with?.path ?? ""), fill(step.with?.["restore-keys"] ?? ""));
      if (step.id !== undefined) steps[step.id] = { outputs: { "cache-matched-key": matched } };
    } else if (step.uses?.startsWith("actions/cache/save@")) {
      saved = await save(run, fill(step.with?.path ?? ""), fill(step.with?.key ?? ""));
    } else if (!/^actions\/(?:checkout|setup-node)@v\d+$/.test(step.uses ?? "")) {
      throw new Error(`the action ${step.uses} is not known here`);
    }
  }
  return { isGood, text: printed.join(""), saved };
}

function unwrapped(condition: string): string {
  return condition.replace(/^\s*\$\{\{([\s\S]*)\}\}\s*$/, "$1");
}

type Evaluate = (expression: string) => unknown;

function filled(text: string, evaluate: Evaluate): string {
  return String(text).replace(/\$\{\{(.*?)\}\}/g, (_, expression: string) => String(evaluate(expression) ?? ""));
}

/** Expressions of workflows are such of JavaScript, but for names with hyphens, and for what is missing, which is empty. */
function evaluator(run: WorkflowRun, steps: Record<string, { outputs: Record<string, string> }>): Evaluate {
  const context = {
    hashFiles: (...paths: string[]) => hashOfFiles(run.folder, paths),
    steps,
    inputs: run.inputs,
    format: (text: string, ...values: string[]) =>
      text.replace(/\{(\d+)\}/g, (_, at: string) => values[Number(at)] ?? ""),
    secrets: run.secrets,
    vars: run.vars,
    github: { run_id: randomUUID(), event_name: run.event },
    cancelled: () => false,
  };
  return (expression) =>
    runInNewContext(
      expression.replace(/\.([a-z]+(?:-[a-z]+)+)/g, "?.['$1']").replaceAll(".outputs", "?.outputs"),
      context,
    );
}

/** One hash over those of the files that are there; empty where none is. */
function hashOfFiles(folder: string, paths: readonly string[]): string {
  const there = paths.map((path) => join(folder, path)).filter((path) => existsSync(path));
  if (there.length === 0) return "";
  return createHash("sha256")
    .update(Buffer.concat(there.map((path) => readFileSync(path))))
    .digest("hex");
}

function stepEnv(
  run: WorkflowRun,
  job: Record<string, string>,
  own: Record<string, string>,
  fill: (value: string) => string,
): NodeJS.ProcessEnv {
  const values = Object.entries({ ...job, ...own }).map(([name, value]) => [name, fill(value)]);
  return { ...run.env, CI: "true", GITHUB_ACTIONS: "true", ...Object.fromEntries(values) };
}

async function runStep(
  script: string,
  { folder, env, event, commit }: WorkflowRun,
): Promise<{ code: number | null; text: string; outputs: Record<string, string> }> {
  const output = join(dirname(folder), `outputs-${randomUUID()}`);
  await writeFile(output, "");
  const own = { GITHUB_OUTPUT: output, GITHUB_EVENT_NAME: event, GITHUB_SHA: commit };
  const { code, text } = await runProcess("bash", ["-e", "-c", script], { cwd: folder, env: { ...env, ...own } });
  const outputs = outputsIn(await readFile(output, "utf8"));
  return { code, text, outputs };
}

function outputsIn(text: string): Record<string, string> {
  const outputs: Record<string, string> = {};
  const lines = text.split("\n");
  for (let at = 0; at < lines.length; at++) {
    const [, name, end] = /^(\w+)<<(.+)$/.exec(lines[at] ?? "") ?? [];
    if (name !== undefined) {
      const last = lines.indexOf(end!, at + 1);
      outputs[name] = lines.slice(at + 1, last).join("\n");
      at = last;
    } else {
      const [, plain, value = ""] = /^(\w+)=(.*)$/.exec(lines[at] ?? "") ?? [];
      if (plain !== undefined) outputs[plain] = value;
    }
  }
  return outputs;
}

/** The newest entry whose key begins so. @returns its key; empty where there is none */
async function restore({ folder, cache }: WorkflowRun, paths: string, prefix: string): Promise<string> {
  const newest = (await readdir(cache)).sort().findLast((name) => keyOf(name).startsWith(prefix.trim()));
  if (newest === undefined) return "";
  for (const path of listed(paths)) {
    const kept = join(cache, newest, path);
    if (existsSync(kept)) await cp(kept, join(folder, path), { recursive: true, preserveTimestamps: true });
  }
  return keyOf(newest);
}

/** Saves an entry, if there is none of that key. @returns its key if it was saved */
async function save({ folder, cache }: WorkflowRun, paths: string, key: string): Promise<string | undefined> {
  const entries = await readdir(cache);
  if (entries.some((name) => keyOf(name) === key)) return undefined;
  const entry = join(cache, `${String(entries.length).padStart(4, "0")} ${key}`);
  await mkdir(entry);
  for (const path of listed(paths)) {
    const from = join(folder, path);
    await cp(from, join(entry, path), { recursive: true, preserveTimestamps: true }).catch(ignoreMissing);
  }
  return key;
}

function ignoreMissing(error: NodeJS.ErrnoException): void {
  if (error.code !== "ENOENT") throw error;
}

function keyOf(name: string): string {
  return name.slice(name.indexOf(" ") + 1);
}

function listed(paths: string): string[] {
  return paths
    .split("\n")
    .map((path) => path.trim())
    .filter((path) => path !== "");
}
