/** A copy of a text that was cut out of a larger one, which it would keep in memory. */
export function ownText(text: string): string {
  return Buffer.from(text).toString();
}
