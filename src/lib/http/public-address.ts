import { type LookupAddress, type LookupOptions, lookup } from "node:dns";
import { BlockList, isIP } from "node:net";

/**
 * Not this host, private, link-local, documentation, benchmark, multicast, nor an IPv6 form of such an IPv4
 * address.
 */
export function isPublicAddress(address: string): boolean {
  const bare = address.replace(/^\[|\]$/g, "").replace(/%.*$/, "");
  const family = isIP(bare);
  if (family === 0) return false;
  if (family === 4) return !notPublic.check(bare, "ipv4");
  return globalUnicast.check(bare, "ipv6") && !notPublic.check(bare, "ipv6");
}

/** The error code of a connection refused because its address is not public. */
export const notPublicCode = "OFFPRINT_NOT_PUBLIC";

/**
 * Fails with {@link notPublicCode}. The socket connects to the checked addresses, so a later change gains nothing.
 */
export function publicLookup(
  hostname: string,
  options: LookupOptions,
  callback: (error: NodeJS.ErrnoException | null, address: string | LookupAddress[], family?: number) => void,
): void {
  lookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error !== null) return callback(error, []);
    const bad = addresses.find(({ address }) => !isPublicAddress(address));
    const first = addresses[0];
    if (bad !== undefined || first === undefined) return callback(notPublicError(hostname, bad?.address), []);
    if (options.all === true) return callback(null, addresses);
    callback(null, first.address, first.family);
  });
}

export function notPublicError(hostname: string, address?: string): NodeJS.ErrnoException {
  const named = address === undefined || address === hostname ? hostname : `${hostname} (${address})`;
  return Object.assign(new Error(`${named} is not a public address`), { code: notPublicCode });
}

const ipv4Ranges: readonly [string, number][] = [
  ["0.0.0.0", 8],
  ["10.0.0.0", 8],
  ["100.64.0.0", 10],
  ["127.0.0.0", 8],
  // Routable, but the metadata service of a large cloud.
  ["168.63.129.16", 32],
  ["169.254.0.0", 16],
  ["172.16.0.0", 12],
  ["192.0.0.0", 24],
  ["192.0.2.0", 24],
  ["192.31.196.0", 24],
  ["192.52.193.0", 24],
  ["192.88.99.0", 24],
  ["192.168.0.0", 16],
  ["192.175.48.0", 24],
  ["198.18.0.0", 15],
  ["198.51.100.0", 24],
  ["203.0.113.0", 24],
  ["224.0.0.0", 3],
];

/** Within 2000::/3; everything else is refused anyway. */
const ipv6Ranges: readonly [string, number][] = [
  ["2001::", 23],
  ["2001:db8::", 32],
  ["2002::", 16],
  ["3fff::", 20],
];

/** The special-purpose ranges of RFC 6890 and its successors. */
const notPublic = new BlockList();
for (const [network, prefix] of ipv4Ranges) notPublic.addSubnet(network, prefix, "ipv4");
for (const [network, prefix] of ipv6Ranges) notPublic.addSubnet(network, prefix, "ipv6");

/** 2000::/3, the only part of IPv6 that is routed publicly. */
const globalUnicast = new BlockList();
globalUnicast.addSubnet("2000::", 3, "ipv6");
