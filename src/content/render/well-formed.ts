const loneSurrogate = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;

/**
 * The text with U+FFFD for lone surrogates, which UTF-8 cannot carry, and for U+0000, which Markdown and HTML cannot.
 */
export function wellFormed(text: string): string {
  return text.replace(loneSurrogate, "\ufffd").replaceAll("\u0000", "\ufffd");
}
