import { type NamingSource, type PlaceNames, placeNames } from "../names/place-names.js";
import { linkVerb, notTranslated, targetTitle } from "../names/story-title.js";
import type { Finding } from "./finding.js";
import { linkUntranslated } from "./rules/reference-rules.js";

/** Adds the names that {@link placeNames} finds. @param findings the worst first: only so many are looked up */
export async function nameFindings(source: NamingSource, findings: readonly Finding[]): Promise<Finding[]> {
  const placed = findings.map((finding) => ({ finding, place: placeOf(finding) }));
  const named = await placeNames(
    source,
    placed.flatMap(({ place }) => place ?? []),
  );
  return placed.map(({ finding, place }) => {
    const names = place && named.get(place);
    return names === undefined ? finding : { ...finding, names: { message: messageOf(finding, names), ...names } };
  });
}

function placeOf({ story, field, target }: Finding) {
  if (story === null) return undefined;
  const place = { edition: story.edition, story: story.uuid };
  return { ...place, ...(field === null ? {} : { field }), ...(target === undefined ? {} : { target }) };
}

function messageOf({ code, message, story, target }: Finding, { link, saved, target: known }: PlaceNames): string {
  if (target === undefined || (known ?? link ?? saved) === undefined) return message;
  const verb = message.startsWith("A link") ? linkVerb(link) : "the value names";
  const reason = code === linkUntranslated.code ? notTranslated(story?.language ?? "default") : undefined;
  return `${verb.charAt(0).toUpperCase()}${verb.slice(1)} ${targetTitle(target, known, { saved, reason })}.`;
}
