/** Words that some YAML reader takes for something else than a text when they stand without quotes. */
const ambiguous = new Set(["y", "n", "yes", "no", "on", "off", "true", "false", "null"]);
/** An exponent without a number before it, which some YAML reader takes for a number. */
const exponent = /^e-?\d+$/i;
const plainKey = /^[A-Za-z_][A-Za-z0-9_-]*$/;
/** What JSON leaves as it is and YAML does not allow, or takes for a line ending. */
const forbidden = /[\u007f-\u009f\u2028\u2029\ufeff\ufffe\uffff]/g;

/**
 * YAML front matter, fences included: one `key: value` line for each entry, every value as JSON, which is YAML. Texts
 * are always in double quotes, so that no reader takes `yes`, `12:30` or `2020-01-01` for anything but a text. Entries
 * whose value is undefined are left out.
 */
export function frontMatter(entries: Iterable<readonly [key: string, value: unknown]>): string {
  let text = "---\n";
  for (const [key, value] of entries) {
    if (value !== undefined) text += `${yamlKey(key)}: ${yamlValue(value)}\n`;
  }
  return `${text}---\n`;
}

function yamlKey(key: string): string {
  return plainKey.test(key) && !exponent.test(key) && !ambiguous.has(key.toLowerCase()) ? key : yamlValue(key);
}

/** JSON on one line, with a space after each colon and comma as every YAML reader expects it. */
function yamlValue(value: unknown): string {
  // As a date and not as a text: for readers whose schemas want one.
  if (value instanceof Date) return value.toISOString();
  const json = typeof value === "object" && value !== null ? JSON.stringify(value, null, 1) : JSON.stringify(value);
  return json.replace(/\n */g, " ").replace(forbidden, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
  });
}
