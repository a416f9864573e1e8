import { redact } from "../redact.js";

const longest = 300;

/** A URL for messages and events: without any secret, and cut short, since a batch of uuids makes it very long. */
export function shownUrl(url: URL): string {
  const text = redact(url.href);
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}
