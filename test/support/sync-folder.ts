import { readdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "../../src/config/config.js";
import { loadConfig } from "../../src/config/load/load-spaces.js";
import { currentManifest } from "../../src/snapshot/current-manifest.js";
import type { Manifest } from "../../src/snapshot/manifest.js";
import { openOutput } from "../../src/snapshot/open-output.js";
import { readPart } from "../../src/snapshot/read-part.js";
import type { SyncReport } from "../../src/sync/report.js";
import { sync } from "../../src/sync/sync.js";
import type { SyncOptions } from "../../src/sync/sync-options.js";
import { temporaryFolder } from "./temporary-folder.js";

/** A project folder with a configuration, synced with the real flow. */
export interface SyncFolder {
  dir: string;
  output: string;
  /** Replaces sync.config.yaml. */
  configure(yaml: string): Promise<void>;
  config(): Promise<Config>;
  sync(options?: Partial<SyncOptions>): Promise<SyncReport>;
  manifest(): Promise<Manifest>;
  /** All lines of every part, by part name. */
  records(): Promise<Record<string, string[]>>;
  /** Path below the output folder → time of the last write and size. */
  files(): Promise<Map<string, string>>;
}

export async function syncFolder(yaml: string): Promise<SyncFolder> {
  const dir = await temporaryFolder();
  const output = join(dir, "output");
  const configure = (text: string) => writeFile(join(dir, "sync.config.yaml"), text);
  await configure(yaml);
  const config = () => loadConfig({ cwd: dir, env: {} });
  const { store } = openOutput({ dir: output });
  const manifest = async () => (await currentManifest(store)) as Manifest;
  return {
    dir,
    output,
    configure,
    config,
    sync: async (options = {}) => sync({ config: await config(), ...options }),
    manifest,
    async records() {
      const records: Record<string, string[]> = {};
      for (const [part, entry] of Object.entries((await manifest()).parts)) {
        records[part] = [];
        for await (const { line } of readPart(store, part, entry)) records[part].push(line);
      }
      return records;
    },
    async files() {
      const files = new Map<string, string>();
      for (const entry of await readdir(output, { recursive: true, withFileTypes: true })) {
        if (!entry.isFile()) continue;
        const path = join(entry.parentPath, entry.name);
        const { mtimeMs, size } = await stat(path);
        files.set(path.slice(output.length + 1), `${mtimeMs} ${size}`);
      }
      return files;
    },
  };
}

/** The configuration of a test's upstream. */
export function sourceYaml(url: string, more = ""): string {
  return `source:\n  url: ${url}\n  token: ${url.includes("demo:") ? "demo" : "test-token"}\n${more}`;
}

/** The same for tests that look at the snapshot alone: no content is rendered. */
export function crawlYaml(url: string, more = ""): string {
  return `${sourceYaml(url, more)}content: { formats: [] }\n`;
}

/** The text of a file of the output folder. */
export function readOutputFile(folder: SyncFolder, name: string): Promise<string> {
  return readFile(join(folder.output, name), "utf8");
}
