/** A valid JSON array, one record a line. */
export function jsonLines(lines: readonly string[]): string {
  return lines.length === 0 ? "[]\n" : `[\n${lines.join(",\n")}\n]\n`;
}
