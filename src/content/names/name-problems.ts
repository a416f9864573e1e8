import type { Problem } from "../../lib/errors.js";
import type { EditionEntry } from "../../snapshot/manifest.js";
import type { KnownStory } from "./known-stories.js";
import { type NamingSource, type PlaceNames, withNames } from "./place-names.js";
import { linkVerb, notTranslated, storyTitle, targetTitle } from "./story-title.js";

export type NamedProblem<P extends Problem = Problem> = P & {
  /** `message`: that of the problem with these names in place of uuids and paths. */
  names?: PlaceNames & { message: string };
};

/** Adds names to the problems that are about to be told, as far as {@link withNames} has them. */
export function nameProblems<P extends Problem>(source: NamingSource, problems: readonly P[]) {
  const editions = new Map(source.manifest.editions.map((edition) => [edition.name, edition]));
  return withNames(
    source,
    problems,
    ({ place }) => place,
    (problem, names) => namedMessage(problem, editions.get(problem.place!.edition)!, names),
  );
}

function namedMessage(
  { code, message, place: { field: path, target } = { edition: "", story: "" } }: Problem,
  edition: EditionEntry,
  { story, field, link, saved, target: known }: PlaceNames,
): string {
  const where = [storyTitle(story, edition), ...(field === undefined ? [] : [field])].join(", ");
  if (target === undefined) {
    // As the renderer spells it: `In story "a" (published/default), field body, …`
    const raw = `" (${edition.name})${path === undefined ? "" : `, field ${path}`}, `;
    const at = message.indexOf(raw);
    return at === -1 ? message : `In ${where}, ${withText(message.slice(at + raw.length), link)}`;
  }
  const verb = code === "LINK_DEAD" || link !== undefined ? linkVerb(link) : "the value names";
  const isUntranslated = known?.state === "published" && edition.language !== "default";
  const reason = isUntranslated ? notTranslated(edition.language) : undefined;
  const title = code === "LINK_OUTSIDE" ? outsideTitle(target, known) : targetTitle(target, known, { saved, reason });
  return `In ${where}, ${verb} ${title}.`;
}

function withText(rest: string, link: string | undefined): string {
  return link === undefined ? rest : rest.replace(/^a link leads to/, () => linkVerb(link));
}

function outsideTitle(uuid: string, known: KnownStory | undefined): string {
  return `${known === undefined ? `story ${uuid}` : storyTitle(known)}, which source.include leaves out`;
}
