/** The bytes from `start` up to, and without, `end`. */
export interface ByteRange {
  start: number;
  end: number;
}

/**
 * What a `Range` header asks for (RFC 9110, section 14): `bytes=0-99`, `bytes=100-` or the last bytes,
 * `bytes=-100`. Another unit, several ranges and a malformed one are answered with everything, as the RFC permits.
 *
 * @param size Number of all bytes.
 * @returns undefined where everything is to be answered
 */
export function parseByteRange(header: string | undefined, size: number): ByteRange | "unsatisfiable" | undefined {
  const [, first = "", last = ""] = /^\s*bytes=\s*(\d*)-(\d*)\s*$/i.exec(header ?? "") ?? [];
  if (first === "" && last === "") return undefined;
  if (first === "") return atLeastOne({ start: Math.max(0, size - Number(last)), end: size });
  if (last !== "" && Number(last) < Number(first)) return undefined;
  return atLeastOne({ start: Number(first), end: last === "" ? size : Math.min(Number(last) + 1, size) });
}

function atLeastOne(range: ByteRange): ByteRange | "unsatisfiable" {
  return range.start < range.end ? range : "unsatisfiable";
}
