import { packageFile } from "../lib/package-file.js";

/** Valid values of `source.region`. */
export const regions = ["eu", "us", "ca", "ap", "cn"] as const;

export type Region = (typeof regions)[number];

export interface RegionHosts {
  /** Host of the content delivery API. */
  cdn: string;
  /** Host of the management API. */
  mapi: string;
  assets: readonly string[];
}

let table: Readonly<Record<Region, RegionHosts>> | undefined;

/** Reads the hosts of a region from config/region-hosts.json. */
export function regionHosts(region: Region): RegionHosts {
  table ??= JSON.parse(packageFile("config/region-hosts.json")) as Readonly<Record<Region, RegionHosts>>;
  return table[region];
}

/** The region whose content delivery API has this origin; undefined for any other upstream. */
export function hostsOfOrigin(origin: string): RegionHosts | undefined {
  return regions.map(regionHosts).find((hosts) => `https://${hosts.cdn}` === origin);
}
