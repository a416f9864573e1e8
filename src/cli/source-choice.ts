import { createInterface } from "node:readline/promises";
import type { Readable, Writable } from "node:stream";
import { type Region, regions } from "../config/region-hosts.js";
import { OffprintError } from "../lib/errors.js";
import type { CommandContext } from "./context.js";

/**
 * Asks a person for the region of the space, until the answer is one.
 *
 * @returns undefined where the space is somewhere else
 * @throws OffprintError `INTERRUPTED` where the person leaves (Ctrl-C, Ctrl-D); the reason of the signal
 */
export async function askRegion(input: Readable, output: Writable, signal: AbortSignal): Promise<Region | undefined> {
  // With a signal that is aborted, and with Ctrl-C or Ctrl-D, the lines end.
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

/** Where a space is: one of the two, or neither, and then the variable `OFFPRINT_URL` says it. */
export interface Source {
  region: Region | undefined;
  url: string | undefined;
}

/** The flags that say it. */
export interface SourceFlags {
  region?: string;
  url?: string;
}

/**
 * Where the space is: what the flags say, else what a person at the terminal answers, else nothing.
 *
 * @throws OffprintError `USAGE` for a region that there is not; `INTERRUPTED` as {@link askRegion} does
 */
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
