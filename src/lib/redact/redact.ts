import { type SearchedSecret, searchedSecret, searchedViews, spellingsOf } from "./secret-search.js";

/** What stands in place of a secret. */
export const redacted = "[redacted]";

/** Below this many characters a secret is looked for only as it is spelled, in URLs and in JSON: it may be a word. */
const longSecret = 8;

/** The secrets of the process, the longest first: one may begin with another. */
const shortSpellings = new Set<string>();
let longSecrets: SearchedSecret[] = [];

const secretParameter =
  /([?&](?:token|access_token|oauth_token|secret|x-amz-(?:signature|credential|security-token))=)[^&#\s"']+/gi;
const authorization = /((?:proxy-)?authorization["']?\s*[:=]\s*["']?)(?:bearer\s+|basic\s+)?[^\s"',}]+/gi;
const userInfo = /(\b[a-z][a-z0-9+.-]{0,30}:\/\/)[^/\s]*@/gi;

/**
 * Remembers a secret value for the life of the process, so that {@link redact} removes it wherever it appears.
 *
 * A value of eight characters or more is found in every form that {@link searchedSecret} knows. A shorter one may be an ordinary word, such as `demo`: it is found only as it is spelled, and as
 * `encodeURIComponent` and `JSON.stringify` spell it. One of less than four characters is not remembered: masking it
 * would mutilate ordinary text.
 */
export function registerSecret(secret: string | undefined): void {
  if (secret === undefined || secret.length < 4) return;
  if (secret.length < longSecret) {
    for (const spelling of spellingsOf(secret)) shortSpellings.add(spelling);
  } else if (!longSecrets.some((known) => known.secret === secret)) {
    longSecrets = [...longSecrets, searchedSecret(secret)].sort((a, b) => b.secret.length - a.secret.length);
  }
}

/** Forgets all secrets: what runs in this process from now on is another user's, such as the next file of tests. */
export function forgetSecrets(): void {
  shortSpellings.clear();
  longSecrets = [];
}

/** Whether a text holds a registered secret as it is spelled; one of less than eight characters has to be all of it. */
export function holdsRegisteredSecret(text: string): boolean {
  return shortSpellings.has(text) || longSecrets.some(({ secret }) => text.includes(secret));
}

/** The text without any registered secret, `token=` parameter, authorization header or user information in a URL. */
export function redact(text: string): string {
  let clean = text
    .replace(secretParameter, `$1${redacted}`)
    .replace(authorization, `$1${redacted}`)
    .replace(userInfo, `$1${redacted}@`);
  for (const { spellings } of longSecrets) clean = masked(clean, spellings);
  return withoutHiddenSecrets(masked(clean, shortSpellings));
}

/** A secret in a form that cannot be cut out, such as one within several encodings, takes all of the text with it. */
function withoutHiddenSecrets(text: string): string {
  const views = searchedViews(text);
  const found = longSecrets.filter((secret) => secret.isIn(views));
  if (found.length === 0) return text;
  const clean = found.reduce((left, secret) => left.replace(secret.pattern(), redacted), text);
  const cleanViews = searchedViews(clean);
  return found.some((secret) => secret.isIn(cleanViews)) ? redacted : clean;
}

function masked(text: string, spellings: Iterable<string>): string {
  let clean = text;
  for (const spelling of spellings) if (clean.includes(spelling)) clean = clean.replaceAll(spelling, redacted);
  return clean;
}
