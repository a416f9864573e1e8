import { redact } from "../redact.js";

const longest = 300;
/** Of a longer value (a batch of uuids) only the beginning is shown, so that the other parameters have room. */
const longestValue = 60;

/** A request is told of in several places. */
const shown = new WeakMap<URL, string>();

/** A URL for messages and events: without any secret, and cut short. The URL is not changed afterwards. */
export function shownUrl(url: URL): string {
  const known = shown.get(url) ?? textOf(url);
  shown.set(url, known);
  return known;
}

function textOf(url: URL): string {
  const text = redact(url.href).replace(/([?&][^=&#]*=)([^&#]*)/g, (parameter, name: string, value: string) =>
    value.length > longestValue ? `${name}${value.slice(0, longestValue / 2)}…` : parameter,
  );
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}
