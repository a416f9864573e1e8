import { redacted } from "../lib/redact/redact.js";

const longRun = /[A-Za-z0-9_+=~.-]{20,}/g;

/** True for 20 characters without a space, with letters and digits. Decides only what a message shows. */
export function looksLikeToken(text: string): boolean {
  return text.match(longRun)?.some(isMixed) ?? false;
}

export function withoutTokens(text: string): string {
  return text.replaceAll(longRun, (run) => (isMixed(run) ? redacted : run));
}

function isMixed(run: string): boolean {
  return /\d/.test(run) && /[A-Za-z]/.test(run);
}
