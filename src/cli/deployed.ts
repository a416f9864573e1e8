import type { Config } from "../config/config.js";
import { expectedContent } from "../content/tree/is-content-current.js";
import { orUndefined } from "../lib/or-undefined.js";
import { printable } from "../lib/printable.js";
import { readManifest } from "../snapshot/current-manifest.js";
import type { Manifest } from "../snapshot/manifest.js";
import type { Output } from "../snapshot/output.js";
import { readDeployedContent } from "../sync/deployed-content.js";
import type { CommandContext } from "./context.js";
import { sinceGeneration } from "./generation-at.js";

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
  const isNumber = /^\d+$/.test(place);
  const kept = isNumber ? await keptManifest(store, Number(place)) : undefined;
  const { shown, why } = isNumber
    ? { shown: kept && expectedContent(config, kept), why: "is a generation that is not kept" }
    : await readDeployed(context, place);
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
  if (place === undefined || !/^[a-z][a-z0-9+.-]+:\/\/|\.json$/i.test(place)) {
    const name = /^\d+$/.test(place ?? "") ? Number(place) : place;
    const manifest = await sinceGeneration(context.terminal, store, after, name);
    return { manifest, text: `generation ${manifest.generation}` };
  }
  const { shown, why } = await readDeployed(context, place);
  if (shown === undefined) return { manifest: undefined, text: `${place}, which ${why}` };
  const number = `generation ${shown.generation} (deployed at ${place})`;
  const manifest = await keptManifest(store, shown.generation);
  if (manifest === undefined) return { manifest, text: `${number}, which is not kept` };
  const isSame = expectedContent(config, manifest).snapshot === shown.snapshot;
  return isSame
    ? { manifest, text: number }
    : { manifest: undefined, text: `${number}, which is of another copy of the space` };
}

function readDeployed({ workingFolder, env, signal }: CommandContext, place: string) {
  return readDeployedContent(place, { cwd: workingFolder(), env, signal });
}

/** Undefined if it is older than the kept ones. */
function keptManifest(store: Output["store"], generation: number): Promise<Manifest | undefined> {
  return orUndefined(readManifest(store, generation), "SNAPSHOT_MISSING");
}
