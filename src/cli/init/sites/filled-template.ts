import { packageFile } from "../../../lib/package-file.js";

/** Replaces a placeholder: a text, one line per text of a list, or whether the line stays. */
type Value = string | boolean | readonly string[] | undefined;

const placeholder = /__([A-Z_]+?)__( +(?= #))?/g;

/** Replaces each `__NAME__`. Drops lines whose value is false, undefined or []. @throws Error for an unknown name */
export function filledTemplate(path: string, values: Readonly<Record<string, Value>> = {}): string {
  return packageFile(`config/templates/${path}`)
    .split("\n")
    .flatMap((line) => filledLines(line, values))
    .join("\n");
}

function filledLines(line: string, values: Readonly<Record<string, Value>>): string[] {
  const known = Array.from(line.matchAll(placeholder), ([, name = ""]) => {
    if (!Object.hasOwn(values, name)) throw new Error(`A template has ${name}, for which there is no value: ${line}`);
    return values[name];
  });
  if (known.some((value) => value === undefined || value === false)) return [];
  const texts = known.find((value) => Array.isArray(value)) ?? [""];
  const fill = (text: string) => (found: string, name: string, column?: string) => {
    const value = values[name];
    if (value === true) return column ?? "";
    const filled = typeof value === "string" ? value : text;
    return column === undefined ? filled : filled.padEnd(found.length);
  };
  return texts.map((text) => line.replace(placeholder, fill(text)));
}
