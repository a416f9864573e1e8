import { readFileSync } from "node:fs";

/** The regions that `source.region` may name. */
export const regions = ["eu", "us", "ca", "ap", "cn"] as const;

export type Region = (typeof regions)[number];

/** The hosts of one region. */
export interface RegionHosts {
  /** Host of the content delivery interface. */
  cdn: string;
  /** Host of the management interface. */
  mapi: string;
  /** Hosts of its assets. */
  assets: readonly string[];
}

let table: Readonly<Record<Region, RegionHosts>> | undefined;

/** The hosts of a region, from config/region-hosts.json. */
export function regionHosts(region: Region): RegionHosts {
  table ??= readTable();
  return table[region];
}

/** The hosts of the region whose content delivery interface has this origin; undefined for any other upstream. */
export function hostsOfOrigin(origin: string): RegionHosts | undefined {
  return regions.map(regionHosts).find((hosts) => `https://${hosts.cdn}` === origin);
}

/** Reads the file from the root of the package, two folders above `src/config` and three above `dist/src/config`. */
function readTable(): Readonly<Record<Region, RegionHosts>> {
  for (const up of ["../../", "../../../"]) {
    try {
      return JSON.parse(readFileSync(new URL(`${up}config/region-hosts.json`, import.meta.url), "utf8"));
    } catch (cause) {
      if (!(cause instanceof Error && "code" in cause && cause.code === "ENOENT")) throw cause;
    }
  }
  throw new Error("config/region-hosts.json is missing from this installation");
}
