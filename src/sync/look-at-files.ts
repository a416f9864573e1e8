import type { Config } from "../config/config.js";
import { contentFolderOf, hasContent } from "../content/tree/content-folder.js";
import type { LostFiles } from "../content/tree/is-content-current.js";
import { lookAtContent } from "../content/tree/is-content-current.js";
import type { Problem } from "../lib/errors.js";
import { orUndefined } from "../lib/or-undefined.js";
import { lostObjects } from "../snapshot/generation-files.js";
import type { Manifest } from "../snapshot/manifest.js";
import type { Output } from "../snapshot/output.js";
import type { State } from "../snapshot/state.js";
import { folderIdentity } from "../snapshot/store/folders.js";

export type Env = Readonly<Record<string, string | undefined>>;

export interface FoundFiles {
  /** Names of missing parts and asset files. */
  damaged: string[];
  /** True if the content tree is complete and current; true if none is configured. */
  contentIsCurrent: boolean;
  /** Missing content files, which this sync writes again. */
  repairs: Problem[];
}

/** By names and sizes; closer in CI and in a folder that the last sync has not seen: something else may write there. */
export async function lookAtFiles(
  output: Output,
  config: Config,
  { manifest, state, env }: { manifest: Manifest | undefined; state: State; env: Env },
): Promise<FoundFiles> {
  if (manifest === undefined) return { damaged: [], contentIsCurrent: !hasContent(config), repairs: [] };
  const isCloser = isInCi(env) || (await isElsewhere(output, config, state));
  // An unreadable list of assets is skipped: reading the list reports that.
  const damaged = (await orUndefined(lostObjects(output.store, manifest, isCloser), "SNAPSHOT_DAMAGED")) ?? [];
  if (!hasContent(config)) return { damaged, contentIsCurrent: true, repairs: [] };
  const { isCurrent, lost } = await lookAtContent(config, manifest, { sizes: isCloser });
  return { damaged, contentIsCurrent: isCurrent, repairs: lost === undefined ? [] : [lostFilesProblem(lost)] };
}

/** Output and content folder, for {@link State.folders}; null if the snapshot is in a store. */
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

/** Build hosts set `CI` to `true` or `1`; `false` or an empty value turns it off. */
function isInCi({ CI = "" }: Env): boolean {
  return !["", "0", "false"].includes(CI.toLowerCase());
}

function lostFilesProblem({ of, count, first }: LostFiles): Problem {
  return {
    code: "SNAPSHOT_DAMAGED",
    message: `The content folder lacks ${count} of its ${of} files, or they have another size; the first is ${JSON.stringify(first)}.`,
    hint: "This sync writes them again. Likely causes: a partly restored cache, or deleted files.",
  };
}
