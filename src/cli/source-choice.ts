import { createInterface } from "node:readline/promises";
import type { Readable, Writable } from "node:stream";
import { type Region, regions } from "../config/schema/region-hosts.js";
import { OffprintError } from "../lib/errors.js";
import type { CommandContext } from "./context.js";

/** Asks until the answer is valid; undefined: elsewhere. @throws OffprintError `INTERRUPTED` for Ctrl-C or Ctrl-D */
export async function askRegion(input: Readable, output: Writable, signal: AbortSignal): Promise<Region | undefined> {
  // An aborted signal, Ctrl-C or Ctrl-D ends the lines.
  const prompt = createInterface({ input, output, signal });
  prompt.once("SIGINT", () => prompt.close());
  prompt.setPrompt(
    `Where does the space live: ${regions.join(", ")}? Empty: somewhere else, at the address in OFFPRINT_URL. `,
  );
  prompt.prompt();
  try {
    for await (const line of prompt) {
      const answer = line.trim().toLowerCase();
      const region = regions.find((known) => known === answer);
      if (region !== undefined || answer === "") return region;
      prompt.prompt();
    }
  } finally {
    prompt.close();
  }
  signal.throwIfAborted();
  throw new OffprintError("INTERRUPTED", "Nothing was written.");
}

/** Location of a space: a region or a url. Without either, the variable `OFFPRINT_URL` names it. */
export interface Source {
  region: Region | undefined;
  url: string | undefined;
}

export interface SourceFlags {
  region?: string;
  url?: string;
}

export interface InitFlags extends SourceFlags {
  force?: boolean;
  /** `--site`: the name of a framework, or true to detect it. */
  site?: string | true;
  /** `--site --full`: a page for each story, else one that lists them. */
  full?: boolean;
  minimal?: boolean;
  /** `--ci`: the host to write a recipe for. `--force` then replaces only that file. */
  ci?: string;
  dryRun?: boolean;
}

/** From the flags, else from a person, else empty. @throws OffprintError `USAGE` for an unknown region */
export async function chosenSource(
  { isAttended, signal }: CommandContext,
  { region, url }: SourceFlags,
): Promise<Source> {
  if (isAttended && region === undefined && url === undefined) {
    return { region: await askRegion(process.stdin, process.stderr, signal), url: undefined };
  }
  return { region: region === undefined ? undefined : regionNamed(region), url };
}

function regionNamed(name: string): Region {
  const region = regions.find((known) => known === name);
  if (region !== undefined) return region;
  throw new OffprintError("USAGE", `There is no region ${JSON.stringify(name)}.`, {
    hint: `Regions: ${regions.join(", ")}. For any other address use --url.`,
  });
}
