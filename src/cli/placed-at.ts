import { resolve } from "node:path";
import type { Config } from "../config/config.js";
import type { Fleet } from "../config/load/fleet.js";
import { isStoreAddress, storeAddressText } from "../config/schema/store-address.js";
import { storeSettingOf } from "../config/schema/store-schema.js";
import { OffprintError } from "../lib/errors.js";
import type { CommandContext } from "./context.js";

/** The only space, read from a folder or `s3://…`. @throws OffprintError `USAGE` for several, or an invalid address */
export function placedAt({ env, workingFolder }: CommandContext, fleet: Fleet, from: string): Fleet {
  const [first, ...others] = fleet.spaces;
  if (first === undefined) return fleet;
  if (others.length > 0) {
    throw new OffprintError("USAGE", `--from names one snapshot, and there are ${fleet.spaces.length} spaces.`, {
      hint: "Name one of them with --space.",
    });
  }
  const output = outputAt(first.config.output, from, { cwd: workingFolder(), env });
  return { ...fleet, spaces: [{ ...first, config: { ...first.config, output } }] };
}

/** An output with its snapshot in another place. For the configured store, keeps its settings. */
function outputAt(
  output: Config["output"],
  from: string,
  place: { cwd: string; env: Readonly<Record<string, string | undefined>> },
): Config["output"] {
  const { store, ...others } = output;
  if (!isStoreAddress(from)) return { ...others, dir: resolve(place.cwd, from) };
  if (store !== undefined && storeAddressText(store) === from.trim()) return output;
  return { ...others, ...storeSettingOf(from, {}, place) };
}
