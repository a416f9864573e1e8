import type { Config } from "../../config/config.js";
import { inMap } from "../../lib/collections/in-map.js";
import { isOffprintError, type Problem, type ProblemPlace } from "../../lib/errors.js";
import { isObject } from "../../lib/shape.js";
import { parts } from "../../snapshot/layout.js";
import type { EditionEntry, Manifest } from "../../snapshot/manifest.js";
import { readRecords } from "../../snapshot/read-records.js";
import type { Store } from "../../snapshot/store/store.js";
import { editorAddress } from "./editor-address.js";
import { fieldTitle } from "./field-title.js";
import { type KnownStory, knownStories } from "./known-stories.js";
import { linkText } from "./link-text.js";
import { storyTitle, targetTitle } from "./story-title.js";

/** What an editor calls the place of a problem, and what it names. */
export interface ProblemNames {
  /** The message with these names in place of uuids and paths. */
  message: string;
  story: { name: string; slug: string };
  /** `Body › Teaser 2 › Link` */
  field?: string;
  /** The text of the link. */
  link?: string;
  /** The story that the field names, if the snapshot or a kept generation knows it. */
  target?: KnownStory;
  /** Address of the story in the platform's editor. */
  editor?: string;
}

export type NamedProblem<P extends Problem = Problem> = P & { names?: ProblemNames };

export interface NamingSource {
  store: Store;
  manifest: Manifest;
  config: Pick<Config, "editor">;
}

/** Stories that are read for their names, fields and links, at most. */
const mostNamedStories = 200;
const readAtOnce = 20;

/**
 * Adds names to the problems that are about to be told. The first 200 stories are read, and the first 50 targets looked
 * up; all other problems stay as they are, as does a problem of a story that cannot be read.
 */
export async function nameProblems<P extends Problem>(
  { store, manifest, config }: NamingSource,
  problems: readonly P[],
): Promise<NamedProblem<P>[]> {
  const places = problems.flatMap(({ place }) => (place === undefined ? [] : [place]));
  if (places.length === 0) return [...problems];
  const targets = await knownStories(
    store,
    manifest,
    places.flatMap(({ target }) => target ?? []),
  );
  const named = new Map<P, ProblemNames>();
  const byStory = new Map<string, P[]>();
  for (const problem of problems) {
    const { place } = problem;
    if (place !== undefined) inMap(byStory, `${place.edition} ${place.story}`, () => []).push(problem);
  }
  await eachStory(store, manifest, places, (edition, uuid, line) => {
    const record: unknown = JSON.parse(line);
    if (!isObject(record)) return;
    const story = { name: textOf(record.name), slug: textOf(record.full_slug) };
    const id = typeof record.id === "number" ? record.id : textOf(record.id);
    const { language } = edition;
    const editor = editorAddress(config.editor.url, manifest.space, { id, uuid, full_slug: story.slug, language });
    for (const problem of byStory.get(`${edition.name} ${uuid}`) ?? []) {
      const { field, target } = problem.place!;
      const link = field === undefined ? undefined : linkText(record.content, field);
      const known = target === undefined ? undefined : targets.get(target);
      const names: Omit<ProblemNames, "message"> = {
        story,
        ...(field === undefined ? {} : { field: fieldTitle(record.content, field) }),
        ...(link === undefined ? {} : { link }),
        ...(known === undefined ? {} : { target: known }),
        ...(editor === undefined ? {} : { editor }),
      };
      named.set(problem, { message: namedMessage(problem, problem.place!, edition, names), ...names });
    }
  });
  return problems.map((problem) => {
    const names = named.get(problem);
    return names === undefined ? problem : { ...problem, names };
  });
}

async function eachStory(
  store: Store,
  manifest: Manifest,
  places: readonly ProblemPlace[],
  visit: (edition: EditionEntry, uuid: string, line: string) => void,
): Promise<void> {
  const told = [...new Set(places.map(({ edition, story }) => JSON.stringify([edition, story])))];
  const pairs = told.slice(0, mostNamedStories).map((pair) => JSON.parse(pair) as [string, string]);
  for (const edition of manifest.editions) {
    const part = parts.stories(edition.name);
    const entry = Object.hasOwn(manifest.parts, part) ? manifest.parts[part] : undefined;
    const uuids = pairs.flatMap(([name, uuid]) => (name === edition.name ? [uuid] : [])).sort();
    for (let at = 0; entry !== undefined && at < uuids.length; at += readAtOnce) {
      const wanted = new Set(uuids.slice(at, at + readAtOnce));
      // A damaged shard is reported by those who look for damage.
      const lines = await readRecords(store, part, entry, wanted).catch((error: unknown) => {
        if (!isOffprintError(error)) throw error;
      });
      for (const [uuid, line] of lines ?? []) visit(edition, uuid, line);
    }
  }
}

function namedMessage(
  { code, message }: Problem,
  { field: path, target }: ProblemPlace,
  edition: EditionEntry,
  { story, field, link, target: known }: Omit<ProblemNames, "message">,
): string {
  const where = [storyTitle(story, edition), ...(field === undefined ? [] : [field])].join(", ");
  if (target === undefined) {
    // As the renderer spells it: `In story "a" (published/default), field body, …`
    const raw = `" (${edition.name})${path === undefined ? "" : `, field ${path}`}, `;
    const at = message.indexOf(raw);
    return at === -1 ? message : `In ${where}, ${withText(message.slice(at + raw.length), link)}`;
  }
  const what = link === undefined ? "a link leads to" : `the link "${link}" leads to`;
  const verb = code === "LINK_DEAD" || link !== undefined ? what : "the value names";
  const title = code === "LINK_OUTSIDE" ? outsideTitle(target, known) : targetTitle(target, known);
  return `In ${where}, ${verb} ${title}.`;
}

function withText(rest: string, link: string | undefined): string {
  return link === undefined ? rest : rest.replace(/^a link leads/, () => `the link "${link}" leads`);
}

function outsideTitle(uuid: string, known: KnownStory | undefined): string {
  return `${known === undefined ? `story ${uuid}` : storyTitle(known)}, which source.include leaves out`;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : "";
}
