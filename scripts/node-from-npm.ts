import { mkdir, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import { runWell } from "./run-process.js";

const installed = new Map<string, Promise<string>>();

/**
 * An environment in which `node` is another major, from npm's package `node`.
 *
 * @param folder where it is installed, once for all callers
 */
export async function withNode(
  major: number | undefined,
  folder: string,
  env: NodeJS.ProcessEnv,
): Promise<NodeJS.ProcessEnv> {
  if (major === undefined) return env;
  const place = join(folder, `node-${major}`);
  let programs = installed.get(place);
  programs ??= install(major, place, env);
  installed.set(place, programs);
  return { ...env, PATH: `${await programs}${delimiter}${env.PATH}` };
}

async function install(major: number, cwd: string, env: NodeJS.ProcessEnv): Promise<string> {
  await mkdir(cwd);
  await writeFile(join(cwd, "package.json"), '{ "private": true }\n');
  await runWell("npm", ["install", `node@${major}`, "--no-audit", "--no-fund", "--loglevel=error"], { cwd, env });
  return join(cwd, "node_modules", "node", "bin");
}
