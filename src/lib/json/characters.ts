/** Codes of JSON's characters, in strings (UTF-16) and bytes (UTF-8) alike. */
export const quote = 0x22;
export const comma = 0x2c;
export const colon = 0x3a;
export const backslash = 0x5c;
export const openBracket = 0x5b;
export const closeBracket = 0x5d;
export const openBrace = 0x7b;
export const closeBrace = 0x7d;
export const lineFeed = 0x0a;

/** The position of a value that does not exist. */
export const missing = -1;
