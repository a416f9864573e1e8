const empty = "[]\n";
const start = Buffer.from("[\n");
const between = Buffer.from(",\n");
const end = Buffer.from("\n]\n");

/** A valid JSON array, one record a line. */
export function jsonLines(lines: readonly string[]): string {
  return lines.length === 0 ? empty : `[\n${lines.join(",\n")}\n]\n`;
}

/** The same of lines as bytes. */
export function jsonLinesBytes(lines: readonly Uint8Array[]): Uint8Array {
  if (lines.length === 0) return Buffer.from(empty);
  const pieces = lines.flatMap((line, index) => (index === 0 ? [start, line] : [between, line]));
  return Buffer.concat([...pieces, end]);
}
