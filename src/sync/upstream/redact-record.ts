import { redactedOwner } from "../../contract/redacted-records.js";
import { NumberText } from "../../lib/json/exact-json.js";
import { redact, redacted } from "../../lib/redact/redact.js";
import { isObject, pathText } from "../../lib/shape.js";

export interface RedactedRecord<T> {
  value: T;
  /** Paths of the redacted fields, `settings[0].mail`; none contains the removed value. */
  redacted: string[];
}

/**
 * A copy of a record of the space, redacted at any depth: the owner, personal fields of a user, and
 * values under the name of a secret; within any text and field name mail addresses, configured
 * secrets in every form that `redact` knows, parameters and words of text that name a secret, user
 * information in a URL, and JSON Web Tokens. Flags, null and empty texts stay: they reveal nothing.
 */
export function redactRecord<T>(record: T): RedactedRecord<T> {
  const found = new Set<string>();
  const value = redactValue(record, [], found);
  return { value: value as T, redacted: [...found] };
}

type Path = readonly (string | number)[];

const numbers: ReadonlySet<unknown> = new Set(["id", "version", "plan_level", "space_id"]);

/** Deeper values are not checked, and so not kept either. */
const deepest = 100;

function redactValue(value: unknown, path: Path, found: Set<string>): unknown {
  const mask = (): string => {
    found.add(pathText(path));
    return redacted;
  };
  if (value === null || typeof value === "boolean") return value;
  if (typeof value === "number" && path.length === 1 && numbers.has(path[0])) return value;
  if (typeof value !== "object" || value instanceof NumberText) {
    const text = String(value);
    const clean = redactText(text);
    if (clean === text) return value;
    const masked = mask();
    return typeof value === "string" ? clean : masked;
  }
  if (path.length > deepest) return mask();
  if (Array.isArray(value)) return value.map((item, index) => redactValue(item, [...path, index], found));
  return redactMembers(value as Record<string, unknown>, path, found);
}

function redactMembers(record: Record<string, unknown>, path: Path, found: Set<string>): Record<string, unknown> {
  // Settings are often kept as pairs: { "name": "preview_token", "value": "…" }.
  const names = pairNames.map((name) => (Object.hasOwn(record, name) ? record[name] : undefined));
  const isSecretPair = names.some((name) => typeof name === "string" && isSecretName(name));
  const members = new Map<string, unknown>();
  for (const [key, value] of Object.entries(record)) {
    const clean = redactText(key);
    const place = [...path, clean.slice(0, longestName)];
    if (clean !== key) found.add(pathText(place));
    const isSecret = isSecretName(key) || personal.has(inWords(key)) || (isSecretPair && pairValues.has(key));
    const kept = isSecret && tellsSomething(value) ? redacted : redactValue(value, place, found);
    if (isSecret && kept === redacted) found.add(pathText(place));
    members.set(freeName(clean, members), kept);
  }
  return Object.fromEntries(members);
}

const pairNames = ["name", "key", "label", "type", "field"];
const pairValues = new Set(["value", "values", "default", "content", "text"]);
const longestName = 60;

/** True if a value may reveal anything: an empty one, a flag and null do not. */
function tellsSomething(value: unknown): boolean {
  if (value === null || typeof value === "boolean" || value === "") return false;
  if (Array.isArray(value)) return value.length > 0;
  return !isObject(value) || value instanceof NumberText || Object.keys(value).length > 0;
}

function freeName(name: string, taken: ReadonlyMap<string, unknown>): string {
  let free = name;
  for (let number = 2; taken.has(free); number += 1) free = `${name}-${number}`;
  return free;
}

/** The lookbehind starts a match at the beginning of a word: a long word is read once. */
const mailAddress =
  /(?:(?<![\p{L}\p{N}.!#$%&'*+/=?^_`{|}~-])[\p{L}\p{N}.!#$%&'*+/=?^_`{|}~-]+?|"[^"\n]{1,64}")(?:@|%40|&#64;|&#x40;|＠)(?:\[[\da-f.:]+\]|[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+)/giu;
const namedSecret =
  /((?:token|secret|passw(?:or)?d|passphrase|api[-_ ]?key|private[-_ ]?key|access[-_ ]?key|credentials?|signature)[\w-]{0,30}["']?\s{0,5}[:=]\s{0,5}["']?)[^\s"'&;,]+/giu;
const webToken = /\beyJ[\w-]{5,}\.[\w-]{5,}(?:\.[\w-]*)?/gu;

function redactText(text: string): string {
  return redact(text)
    .replace(webToken, redacted)
    .replace(namedSecret, (match, name: string) => (match.endsWith(redacted) ? match : `${name}${redacted}`))
    .replace(mailAddress, redacted);
}

/** Fields of a user (seed section 2.6) that other records have, too, and that are not personal. */
const impersonal = new Set([
  ..."id created_at updated_at deleted_at role sso org_id org_role partner_id partner_role organization timezone".split(
    " ",
  ),
  ..."disabled notified lang preferences login_strategy consumed_timestep otp_required_for_login use_username".split(
    " ",
  ),
]);
/** Fields that identify a person: the owner, and the personal fields of a user. */
const personal = new Set(["owner", ...Object.keys(redactedOwner).filter((name) => !impersonal.has(name))]);

const secretWords =
  /token|secret|passw|passphrase|pwd|api_?key|(?:private|access|signing|encryption|license|client|auth|shared)_?key|credential|signature|authori[sz]ation|bearer|cookie|(?:^|_)(?:otp|pin|auth|pass|jwt)(?:_|$)/;

/** True if a field of this name contains a secret: `previewToken`, `api-key`, `smtp_password`. */
function isSecretName(name: string): boolean {
  return secretWords.test(inWords(name));
}

/** `webhookSecret`, `webhook-secret` and `Webhook secret` as `webhook_secret`. */
function inWords(name: string): string {
  return name
    .replace(/([a-z\d])([A-Z])/g, "$1_$2")
    .replace(/[^\p{L}\p{N}]+/gu, "_")
    .toLowerCase();
}
