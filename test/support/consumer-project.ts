import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Config, HookSetting } from "../../src/config/config.js";
import { exportGeneration } from "../../src/content/tree/export-generation.js";
import type { Manifest } from "../../src/snapshot/manifest.js";
import { openOutput } from "../../src/snapshot/open-output.js";
import type { Store } from "../../src/snapshot/store/store.js";
import type { Change, ListHeader } from "../../src/watch/hooks/change-list.js";
import { type HandOver, type HandOverOptions, handOver } from "../../src/watch/hooks/hand-over.js";
import { sampleConfig } from "./sample-config.js";
import { commitSample, type SampleContent } from "./sample-snapshot.js";
import { temporaryFolder } from "./temporary-folder.js";

/** An output folder whose generations are made of records, and consumers of them. */
export interface ConsumerProject {
  dir: string;
  config: Config;
  /** Rooted at the output folder. */
  store: Store;
  commit(content: SampleContent, options?: { withTree?: boolean }): Promise<Manifest>;
  /** Renders the content of a generation, as the process that committed it does after that. */
  render(manifest: Manifest): Promise<void>;
  handOver(options?: Partial<HandOverOptions>): Promise<HandOver[]>;
  /** The lists that {@link keepingHook} has received, in order. */
  handed(): Promise<{ header: ListHeader; changes: Change[] }[]>;
}

/**
 * Appends its input to a file of the working folder; ends with the exit code in the file `code`.
 */
export const keepingHook: HookSetting = {
  run: 'cat "$OFFPRINT_CHANGES" >> handed.ndjson; exit $(cat code 2>/dev/null || echo 0)',
  timeoutMs: 20_000,
};

export async function consumerProject(
  onCommit: Config["onCommit"] = { site: keepingHook },
  more: Partial<Config> = {},
): Promise<ConsumerProject> {
  const dir = await temporaryFolder();
  const config: Config = {
    ...sampleConfig,
    baseDir: dir,
    output: { ...sampleConfig.output, dir: join(dir, "output") },
    onCommit,
    ...more,
  };
  const { store } = openOutput(config.output);
  const render = async (manifest: Manifest) =>
    void (await exportGeneration({ config, output: store, manifest, assertHeld: async () => undefined }));
  return {
    dir,
    config,
    store,
    render,
    async commit(content, { withTree = true } = {}) {
      const { manifest } = await commitSample({ shardBytes: 900, ...content }, store);
      if (withTree) await render(manifest);
      return manifest;
    },
    handOver: (options = {}) =>
      handOver({ config, env: { PATH: process.env.PATH }, onLine: () => undefined, ...options }),
    async handed() {
      const text = await readFile(join(dir, "handed.ndjson"), "utf8").catch(() => "");
      const lists: { header: ListHeader; changes: Change[] }[] = [];
      for (const line of text.split("\n").filter(Boolean)) {
        const value = JSON.parse(line) as ListHeader | Change;
        if ("change" in value) lists.at(-1)!.changes.push(value);
        else lists.push({ header: value, changes: [] });
      }
      return lists;
    },
  };
}
