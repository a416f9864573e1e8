/** A line in which no text from outside moves the cursor of a terminal, or hides what follows. */
export function printable(line: string): string {
  return line.replace(
    /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/gu,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}
