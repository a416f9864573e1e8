/** `3-col` becomes `_3Col`. A taken name gets `otherwise` behind it, then numbers. @param suffixes taken with it too */
type TakeName = (text: string, otherwise: string, suffixes?: readonly string[]) => string;

/** Gives names of declarations, each once. @param reserved names that are taken from the start */
export function typeNames(reserved: Iterable<string>): TakeName {
  const taken = new Set(reserved);
  return (text, otherwise, suffixes = []) => {
    const plain = typeNameOf(text);
    const all = (name: string) => [name, ...suffixes.map((suffix) => name + suffix)];
    const isFree = (name: string) => all(name).every((one) => !taken.has(one));
    let name = plain;
    for (let number = 2; !isFree(name); number += 1) {
      const worded = isFree(plain + otherwise) && !plain.endsWith(otherwise) ? otherwise : String(number);
      name = plain + worded;
    }
    for (const one of all(name)) taken.add(one);
    return name;
  };
}

const longestName = 80;

/** The words of a text as one identifier in Pascal case; letters of any script stay. */
function typeNameOf(text: string): string {
  const words = text.normalize("NFC").match(/[\p{ID_Continue}$]+/gu) ?? [];
  const joined = words
    .flatMap((word) => word.split("_"))
    .map((word) => word.slice(0, 1).toUpperCase() + word.slice(1))
    .join("")
    .slice(0, longestName)
    .replace(/[\ud800-\udbff]$/, "");
  if (joined === "") return "Unnamed";
  return /^[\p{ID_Start}$]/u.test(joined) ? joined : `_${joined}`;
}
