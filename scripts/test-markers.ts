/** A row that a test file says it shows. */
export interface TestMarker {
  section: string;
  /** Name of a row, or the beginning of several and a star. */
  name: string;
  /** Path of the test file below `test`, without `.test.ts`. */
  test: string;
}

/**
 * What a test file shows, by its lines `// Rows: [4.1 by_uuids] [8 links]`: one row of a section, several,
 * `[4.1 page, per_page]`, or all whose names begin alike, `[2.6 owner.*]`.
 */
export function testMarkers(test: string, source: string): TestMarker[] {
  const lines = source.match(/^\/\/ Rows: .*$/gm) ?? [];
  return [...lines.join("\n").matchAll(/\[(\d+(?:\.\d+)?) ([^[\]\n]+)\]/g)].flatMap(([, section = "", names = ""]) =>
    names.split(",").map((name) => ({ section, name: name.trim(), test })),
  );
}

/** Whether the marker means the row: a star stands for any end, but not for the whole name. */
export function isMarked(marker: TestMarker, row: { section: string; name: string }): boolean {
  if (marker.section !== row.section) return false;
  const isGroup = marker.name.endsWith("*") && marker.name.length > 1;
  return isGroup ? row.name.startsWith(marker.name.slice(0, -1)) : row.name === marker.name;
}
