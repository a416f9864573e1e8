import { type JsonScan, skipSpace, skipValue } from "./text.js";

/** Moves over the next bracket, comma, colon or scalar of a JSON text, and returns it; empty at the end. */
export function nextToken(scan: JsonScan): string {
  skipSpace(scan);
  const start = scan.at;
  const char = scan.text.charAt(start);
  if (char !== "" && "{}[],:".includes(char)) scan.at++;
  else if (char !== "") skipValue(scan);
  return scan.text.slice(start, scan.at);
}
