import type { Config } from "../config/config.js";
import { contentFolderOf, hasContent } from "../content/tree/content-folder.js";
import { lookAtContent } from "../content/tree/is-content-current.js";
import type { LostFiles } from "../content/tree/lost-files.js";
import { isOffprintError, type Problem } from "../lib/errors.js";
import { lostObjects } from "../snapshot/generation-files.js";
import type { Manifest } from "../snapshot/manifest.js";
import type { Output } from "../snapshot/output.js";
import type { State } from "../snapshot/state.js";
import { folderIdentity } from "../snapshot/store/folders.js";

/** Variables of a process. */
export type Env = Readonly<Record<string, string | undefined>>;

/** What a look at the folders shows of a generation and its content tree. */
export interface FoundFiles {
  /** Names of parts and of asset files that are lost. */
  damaged: string[];
  /** Whether the content tree is whole, and of this generation and these settings; true where none is wanted. */
  contentIsCurrent: boolean;
  /** What the content tree has lost: this sync writes it again. */
  repairs: Problem[];
}

/**
 * Compares what lies in the folders with what manifest and notes name: names and sizes of shards, and names of the files of the tree;
 * their sizes, and assets, where something else than a sync may have put the files there, in CI or in a folder that the last sync has not
 * seen. Reads no shard but those of assets, and no file of the tree.
 */
export async function lookAtFiles(
  output: Output,
  config: Config,
  { manifest, state, env }: { manifest: Manifest | undefined; state: State; env: Env },
): Promise<FoundFiles> {
  if (manifest === undefined) return { damaged: [], contentIsCurrent: !hasContent(config), repairs: [] };
  const isCloser = isInCi(env) || (await isElsewhere(output, config, state));
  const damaged = await damagedObjects(output, manifest, isCloser);
  if (!hasContent(config)) return { damaged, contentIsCurrent: true, repairs: [] };
  const { isCurrent, lost } = await lookAtContent(config, manifest, { sizes: isCloser });
  return { damaged, contentIsCurrent: isCurrent, repairs: lost === undefined ? [] : [lostFilesProblem(lost)] };
}

/** The folders of the output and of the content tree, for {@link State.folders}; null where the snapshot lies elsewhere. */
export async function foldersOf(output: Output, config: Config): Promise<string | null> {
  if (output.store.folder === undefined) return null;
  const own = await folderIdentity(output.store.folder);
  const content = hasContent(config) ? await folderIdentity(contentFolderOf(config)) : undefined;
  return [own ?? "", content ?? ""].join(" ");
}

async function isElsewhere(output: Output, config: Config, state: State): Promise<boolean> {
  const folders = await foldersOf(output, config);
  return folders !== null && folders !== state.folders;
}

/** Hosts of builds set it to `true` or `1`; a person takes it back with `false`, or with nothing. */
function isInCi({ CI = "" }: Env): boolean {
  return !["", "0", "false"].includes(CI.toLowerCase());
}

/** A list of assets that cannot be read is looked at by who reads it. */
async function damagedObjects({ store }: Output, manifest: Manifest, assets: boolean): Promise<string[]> {
  try {
    return await lostObjects(store, manifest, assets);
  } catch (error) {
    if (!isOffprintError(error, "SNAPSHOT_DAMAGED")) throw error;
    return [];
  }
}

function lostFilesProblem({ of, count, first }: LostFiles): Problem {
  return {
    code: "SNAPSHOT_DAMAGED",
    message: `The content folder lacks ${count} of its ${of} files, or they have another size; the first is ${JSON.stringify(first)}.`,
    hint: "This sync writes them again. A cache that came back in part, or files that somebody deleted, look like this.",
  };
}
