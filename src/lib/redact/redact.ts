import { type SearchedSecret, searchedSecret, searchedViews, spellingsOf } from "./secret-search.js";

export const redacted = "[redacted]";

/** Shorter secrets may be words: they are searched only as spelled, in URLs and in JSON. */
const longSecret = 8;

/** Longest first: one secret may begin with another. */
const shortSpellings = new Set<string>();
let longSecrets: SearchedSecret[] = [];

const secretParameter =
  /([?&](?:token|access_token|oauth_token|secret|x-amz-(?:signature|credential|security-token))=)[^&#\s"']+/gi;
const authorization = /((?:proxy-)?authorization["']?\s*[:=]\s*["']?)(?:bearer\s+|basic\s+)?[^\s"',}]+/gi;
const userInfo = /(\b[a-z][a-z0-9+.-]{0,30}:\/\/)[^/\s]*@/gi;

/**
 * Removes a secret for the life of the process, from eight characters on in every form of {@link searchedSecret}; a
 * shorter one may be a word such as `demo`, and is found as URLs and JSON spell it. Ignores fewer than four.
 */
export function registerSecret(secret: string | undefined): void {
  if (secret === undefined || secret.length < 4) return;
  if (secret.length < longSecret) {
    for (const spelling of spellingsOf(secret)) shortSpellings.add(spelling);
  } else if (!longSecrets.some((known) => known.secret === secret)) {
    longSecrets = [...longSecrets, searchedSecret(secret)].sort((a, b) => b.secret.length - a.secret.length);
  }
}

/** For a secret that has ended. One registered by several owners is forgotten for all. */
function forgetSecret(secret: string): void {
  for (const spelling of spellingsOf(secret)) shortSpellings.delete(spelling);
  longSecrets = longSecrets.filter((known) => known.secret !== secret);
}

/** Enough for keys and tokens that requests under way still use. */
const keptSets = 6;

/** Secrets that are replaced by the hour. Old ones are forgotten, so that redaction stays quick for months. */
export class RenewedSecrets {
  #sets: (readonly string[])[] = [];

  register(texts: readonly (string | undefined)[]): void {
    const set = texts.filter((text) => text !== undefined);
    for (const secret of set) registerSecret(secret);
    this.#sets = [...this.#sets.filter((known) => known.join("\n") !== set.join("\n")), set];
    if (this.#sets.length <= keptSets) return;
    const old = this.#sets.shift()!;
    const kept = new Set(this.#sets.flat());
    for (const secret of old) if (!kept.has(secret)) forgetSecret(secret);
  }
}

/** Forgets all secrets, for another user of this process, such as the next test file. */
export function forgetSecrets(): void {
  shortSpellings.clear();
  longSecrets = [];
}

/** Whether a text has a registered secret; one under eight characters must be the whole text. */
export function holdsRegisteredSecret(text: string): boolean {
  return shortSpellings.has(text) || longSecrets.some(({ secret }) => text.includes(secret));
}

/** Removes registered secrets, `token=`, authorization headers and user information in URLs. */
export function redact(text: string): string {
  let clean = text
    .replace(secretParameter, `$1${redacted}`)
    .replace(authorization, `$1${redacted}`)
    .replace(userInfo, `$1${redacted}@`);
  for (const { spellings } of longSecrets) clean = masked(clean, spellings);
  return withoutHiddenSecrets(masked(clean, shortSpellings));
}

/** Redacts the whole text if a secret cannot be cut out, such as one inside several encodings. */
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
