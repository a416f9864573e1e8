import { createHash } from "node:crypto";

/**
 * The uuid of the thing with this name: the same in every run, evenly spread, and shaped like a random one (version 4).
 */
export function uuidOf(name: string): string {
  const known = uuids.get(name);
  if (known !== undefined) return known;
  const uuid = makeUuid(name);
  uuids.set(name, uuid);
  return uuid;
}

const uuids = new Map<string, string>();

function makeUuid(name: string): string {
  const hex = createHash("sha256").update(`lumen press\n${name}`).digest("hex");
  const variant = "89ab"[Number.parseInt(hex.charAt(16), 16) & 3] ?? "8";
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/** A hash of a text as an unsigned 32-bit number (FNV-1a, mixed): for choices that look arbitrary and never change. */
export function numberOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  return mix(hash, 0);
}

/** One of the choices, always the same one for the same text. */
export function choose<T>(choices: readonly T[], text: string): T {
  const choice = choices[numberOf(text) % choices.length];
  if (choice === undefined) throw new RangeError("nothing to choose from");
  return choice;
}

/** Mixes a number into a hash (the finalizer of MurmurHash 3); unsigned 32 bits. */
export function mix(hash: number, value: number): number {
  let mixed = Math.imul(hash ^ (value + 0x9e3779b9), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

/** The `_uid` of a block. @param place A hash of the path that leads to the block. */
export function blockUid(place: number): string {
  const [a, b, c, d] = [1, 2, 3, 4].map((part) => mix(place, part).toString(16).padStart(8, "0"));
  return `${a}-${b?.slice(0, 4)}-4${b?.slice(5)}-a${c?.slice(1, 4)}-${c?.slice(4)}${d}`;
}
