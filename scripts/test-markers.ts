/** A row that a test says it shows, as its title spells it. */
export interface TestMarker {
  section: string;
  /** Name of a row, or the beginning of several and a star. */
  name: string;
  /** Path of the test file below `test`, without `.test.ts`. */
  test: string;
}

const marker = /\[(\d+(?:\.\d+)?) ([^[\]\n]+)\]/g;
const skippedTitle = /\.(?:skip|todo)\(\s*(["'`]).*?\1/g;
const commentLine = /^\s*(?:\/\/|\/?\*).*$/gm;

/**
 * The markers in the text of a test file: `[4.1 by_uuids]`, or several rows of a section, `[4.1 page, per_page]`, or all
 * whose names begin alike, `[2.6 owner.*]`. Comments and the titles of skipped tests do not count.
 */
export function testMarkers(test: string, source: string): TestMarker[] {
  const text = source.replace(commentLine, "").replace(skippedTitle, "");
  return [...text.matchAll(marker)].flatMap(([, section = "", names = ""]) =>
    names.split(",").map((name) => ({ section, name: name.trim(), test })),
  );
}

/** Whether the marker means the row: a star stands for any end, but not for the whole name. */
export function isMarked(marker: TestMarker, row: { section: string; name: string }): boolean {
  if (marker.section !== row.section) return false;
  const isGroup = marker.name.endsWith("*") && marker.name.length > 1;
  return isGroup ? row.name.startsWith(marker.name.slice(0, -1)) : row.name === marker.name;
}
