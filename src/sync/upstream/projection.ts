import type { SpaceInfoRecord, SpaceRecord, StoryRecord, WebhookEndpointRecord } from "../../contract/records.js";
import { NumberText, parseExact, plainNumber, printExact } from "../../lib/json/exact-json.js";
import { isObject } from "../../lib/shape.js";

/**
 * What of secret answers may be kept. They are reduced as they are read, so that no secret reaches
 * a caller, a file, a log or an error: `space_info` has its owner's access token and
 * one-time-password secrets, a webhook endpoint its signing secret and a URL that may have another,
 * a space's domain often the preview token. Management answers keep what is listed, because a new
 * upstream field may be a secret. The rest is redacted, too.
 */

/** `spaces/me` with only the origin of its domain. See `redactRecord` for the other fields. */
export function projectSpace(record: SpaceRecord): SpaceRecord {
  const domain: unknown = record.domain;
  if (domain === undefined || domain === null) return record;
  return { ...record, domain: originOf(domain) };
}

/** Seed 2.6 without its owner and every other key. */
export function projectSpaceInfo(record: SpaceInfoRecord): SpaceInfoRecord {
  const { id, name, domain, plan_level, languages } = record;
  return {
    id,
    name,
    ...(typeof domain === "string" ? { domain: originOf(domain) } : {}),
    ...(isNumber(plan_level) ? { plan_level } : {}),
    ...(Array.isArray(languages) ? { languages: languages.flatMap(projectLanguage) } : {}),
  };
}

/** Seed 2.7 without its secret, its target and its description. */
export function projectWebhookEndpoint(record: WebhookEndpointRecord): WebhookEndpointRecord {
  const { id, name, space_id, actions, activated, created_at, updated_at, deleted_at } = record;
  return {
    id,
    ...(typeof name === "string" ? { name } : {}),
    ...(isNumber(space_id) ? { space_id } : {}),
    ...(Array.isArray(actions) ? { actions: actions.filter((action) => typeof action === "string") } : {}),
    ...(typeof activated === "boolean" ? { activated } : {}),
    ...(typeof created_at === "string" ? { created_at } : {}),
    ...(typeof updated_at === "string" ? { updated_at } : {}),
    ...(typeof deleted_at === "string" || deleted_at === null ? { deleted_at } : {}),
  };
}

/** Without `last_author`, at any depth. Of its stories only id and type stay: the rest moves with drafts. */
export function projectTermText(text: string): string {
  return printExact(projectTerm(parseExact(text)));
}

function projectTerm(term: unknown): unknown {
  if (Array.isArray(term)) return term.map(projectTerm);
  if (!isObject(term) || term instanceof NumberText) return term;
  const kept = Object.entries(term).filter(([key]) => key !== "last_author");
  return Object.fromEntries(
    kept.map(([key, value]) => [key, key === "associated_content" ? storyIds(value) : projectTerm(value)]),
  );
}

function storyIds(stories: unknown): unknown {
  if (!Array.isArray(stories)) return null;
  const found = stories.filter(isObject).map(({ id, type }) => ({ id, ...(type === undefined ? {} : { type }) }));
  return found.sort((a, b) => Number(a.id) - Number(b.id));
}

/** A story whose terms are projected by {@link projectTermText}; the same text if nothing had to go. */
export function projectStoryText(text: string): string {
  if (!text.includes('"last_author"') || !text.includes('"taxonomy_terms"')) return text;
  const story = parseExact(text) as StoryRecord;
  return printExact({ ...story, taxonomy_terms: projectTerm(story.taxonomy_terms) });
}

/** A number, or one that keeps its text. */
function isNumber(value: unknown): value is number {
  return typeof plainNumber(value) === "number";
}

function projectLanguage(language: unknown): { code: string; name: string }[] {
  if (typeof language !== "object" || language === null) return [];
  const { code, name } = language as { code?: unknown; name?: unknown };
  return typeof code === "string" && typeof name === "string" ? [{ code, name }] : [];
}

/** The origin of a URL, with a slash unless the text had none; empty if it is not a web address. */
function originOf(domain: unknown): string {
  if (typeof domain !== "string" || !URL.canParse(domain)) return "";
  const url = new URL(domain);
  if (url.protocol !== "https:" && url.protocol !== "http:") return "";
  return domain === url.origin ? domain : `${url.origin}/`;
}
