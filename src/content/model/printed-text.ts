/** Characters that end a line, or turn the order of what an editor shows around. */
const unsafe = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g;

/** A text as a literal of JSON, JavaScript and TypeScript, whatever it holds. */
export function literal(text: string): string {
  return JSON.stringify(text).replace(
    unsafe,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

/** Characters of a comment; what is longer is cut off. */
const longestComment = 200;

/** A text within a comment of one line, which it cannot end. */
export function commentText(text: string): string {
  const cut = text.length > longestComment ? `${text.slice(0, longestComment)}…` : text;
  return cut.replace(unsafe, " ").replaceAll("*/", "*\\/").toWellFormed();
}

/** The key of an object type or object literal. */
export function propertyKey(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) && name !== "__proto__" ? name : literal(name);
}
