import { packageFile } from "../../lib/package-file.js";

export const regions = ["eu", "us", "ca", "ap", "cn"] as const;

export type Region = (typeof regions)[number];

export interface RegionHosts {
  cdn: string;
  /** Another name of the same host: the vendor's types say `api-au`, its docs `api-ap`. */
  alsoCdn?: string;
  mapi: string;
  /** Of the platform's editor. */
  editor: string;
  assets: readonly string[];
}

let table: Readonly<Record<Region, RegionHosts>> | undefined;

export function regionHosts(region: Region): RegionHosts {
  table ??= JSON.parse(packageFile("config/region-hosts.json")) as Readonly<Record<Region, RegionHosts>>;
  return table[region];
}

/** The region whose content delivery API has this origin; undefined for any other upstream. */
export function hostsOfOrigin(origin: string): RegionHosts | undefined {
  return regions
    .map(regionHosts)
    .find(({ cdn, alsoCdn }) => [cdn, alsoCdn].some((host) => `https://${host}` === origin));
}
