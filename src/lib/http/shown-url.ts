import { redact } from "../redact/redact.js";

const longest = 300;
/** Of a longer value (a batch of uuids) only the beginning is shown, so that the other parameters have room. */
const longestValue = 60;

/**
 * A URL for messages and events: without any secret, and cut short. Most requests are never told of, so that its text is made
 * when it is asked for first. The URL is not changed meanwhile.
 */
export class ShownUrl {
  readonly #url: URL;
  #text: string | undefined;

  constructor(url: URL) {
    this.#url = url;
  }

  toString(): string {
    this.#text ??= textOf(this.#url);
    return this.#text;
  }
}

function textOf(url: URL): string {
  const text = redact(url.href).replace(/([?&][^=&#]*=)([^&#]*)/g, (parameter, name: string, value: string) =>
    value.length > longestValue ? `${name}${value.slice(0, longestValue / 2)}…` : parameter,
  );
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}
