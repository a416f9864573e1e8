import type { Problem } from "../../lib/errors.js";
import type { EditionEntry } from "../../snapshot/manifest.js";
import type { KnownStory } from "./known-stories.js";
import { type NamingSource, type PlaceNames, placeNames } from "./place-names.js";
import { linkVerb, notTranslated, storyTitle, targetTitle } from "./story-title.js";

export type NamedProblem<P extends Problem = Problem> = P & {
  /** `message`: that of the problem with these names in place of uuids and paths. */
  names?: PlaceNames & { message: string };
};

/** Adds names to the problems that are about to be told, as far as {@link placeNames} has them. */
export async function nameProblems<P extends Problem>(
  source: NamingSource,
  problems: readonly P[],
): Promise<NamedProblem<P>[]> {
  const places = problems.flatMap(({ place }) => (place === undefined ? [] : [place]));
  const named = places.length === 0 ? undefined : await placeNames(source, places);
  return problems.map((problem) => {
    const names = problem.place && named?.get(problem.place);
    const edition = source.manifest.editions.find(({ name }) => name === problem.place?.edition);
    if (names === undefined || edition === undefined) return problem;
    return { ...problem, names: { message: namedMessage(problem, edition, names), ...names } };
  });
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
