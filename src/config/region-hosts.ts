import { packageFile } from "../lib/package-file.js";

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
  table ??= JSON.parse(packageFile("config/region-hosts.json")) as Readonly<Record<Region, RegionHosts>>;
  return table[region];
}

/** The hosts of the region whose content delivery interface has this origin; undefined for any other upstream. */
export function hostsOfOrigin(origin: string): RegionHosts | undefined {
  return regions.map(regionHosts).find((hosts) => `https://${hosts.cdn}` === origin);
}
