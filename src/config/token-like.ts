import { redacted } from "../lib/redact/redact.js";

/** A run of characters that tokens are made of, as long as tokens are. */
const longRun = /[A-Za-z0-9_+=~.-]{20,}/g;

/**
 * Whether a text may be a token, by its looks: at least 20 characters without a space, letters and digits among them. An
 * address or a path with short parts is none. It decides what a message shows, never what is accepted.
 */
export function looksLikeToken(text: string): boolean {
  return text.match(longRun)?.some(isMixed) ?? false;
}

/** The text without what looks like a token in it. */
export function withoutTokens(text: string): string {
  return text.replaceAll(longRun, (run) => (isMixed(run) ? redacted : run));
}

function isMixed(run: string): boolean {
  return /\d/.test(run) && /[A-Za-z]/.test(run);
}
