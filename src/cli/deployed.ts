import type { Config } from "../config/config.js";
import type { ExpectedContent } from "../content/tree/content-index.js";
import { expectedContent } from "../content/tree/is-content-current.js";
import { isOffprintError } from "../lib/errors.js";
import { printable } from "../lib/printable.js";
import { readManifest } from "../snapshot/current-manifest.js";
import type { Manifest } from "../snapshot/manifest.js";
import type { Output } from "../snapshot/output.js";
import { readDeployedContent } from "../sync/deployed-content.js";
import type { CommandContext } from "./context.js";
import { manifestBefore } from "./diff.js";
import { namedGeneration } from "./generation-at.js";

export interface Deployed {
  place: string;
  generation: number | null;
  /** True if it is known to have the snapshot's content and the current settings. */
  isCurrent: boolean;
  text: string;
}

/** @param place number of a generation, or the file or address of a deployed `index.json` */
export async function compareDeployed(
  context: CommandContext,
  config: Config,
  { store }: Output,
  manifest: Manifest,
  place: string,
): Promise<Deployed> {
  const { shown, why } = /^\d+$/.test(place)
    ? await ofGeneration(config, store, Number(place))
    : await readDeployedContent(place, { cwd: context.workingFolder(), env: context.env, signal: context.signal });
  if (shown === undefined) return { place, generation: null, isCurrent: false, text: `${printable(place)} ${why}` };
  const now = expectedContent(config, manifest);
  const [isSame, isShapedSame] = [shown.snapshot === now.snapshot, shown.settings === now.settings];
  const differing = isSame ? "the same content, in other settings" : `generation ${shown.generation}: other content`;
  const text = isSame && isShapedSame ? "what the snapshot holds" : differing;
  return { place, generation: shown.generation, isCurrent: isSame && isShapedSame, text };
}

export interface DeployedGeneration {
  /** Undefined if it is not kept. */
  manifest: Manifest | undefined;
  text: string;
}

/**
 * The generation that a deployment shows; without a place, the kept one before the current one.
 * @param place a generation, a time, or the file or address of a deployed `index.json`
 */
export async function deployedManifest(
  context: CommandContext,
  config: Config,
  { store, after }: { store: Output["store"]; after: Manifest },
  place: string | undefined,
): Promise<DeployedGeneration> {
  if (place === undefined) return told(await manifestBefore(store, after));
  const isContent = /^[a-z][a-z0-9+.-]+:\/\/|\.json$/i.test(place);
  if (!isContent) {
    const name = /^\d+$/.test(place) ? Number(place) : place;
    return told(await namedGeneration(context.terminal, store, name, "--since"));
  }
  const { env, signal } = context;
  const { shown, why } = await readDeployedContent(place, { cwd: context.workingFolder(), env, signal });
  if (shown === undefined) return { manifest: undefined, text: `${place}, which ${why}` };
  const number = `generation ${shown.generation} (deployed at ${place})`;
  try {
    const manifest = await readManifest(store, shown.generation);
    const isSame = expectedContent(config, manifest).snapshot === shown.snapshot;
    return isSame
      ? { manifest, text: number }
      : { manifest: undefined, text: `${number}, which is of another copy of the space` };
  } catch (error) {
    if (!isOffprintError(error, "SNAPSHOT_MISSING")) throw error;
    return { manifest: undefined, text: `${number}, which is not kept` };
  }
}

function told(manifest: Manifest): DeployedGeneration {
  return { manifest, text: `generation ${manifest.generation}` };
}

async function ofGeneration(
  config: Config,
  store: Output["store"],
  generation: number,
): Promise<{ shown: ExpectedContent | undefined; why: string }> {
  try {
    return { shown: expectedContent(config, await readManifest(store, generation)), why: "" };
  } catch (error) {
    // The deployed generation may be older than the kept ones.
    if (!isOffprintError(error, "SNAPSHOT_MISSING")) throw error;
    return { shown: undefined, why: "is a generation that is not kept" };
  }
}
