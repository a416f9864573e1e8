import { type NamedProblem, nameProblems } from "../../../content/names/name-problems.js";
import { storyTitle } from "../../../content/names/story-title.js";
import type { Problem } from "../../../lib/errors.js";
import { plural } from "../../../lib/quantity-text.js";
import type { EditionEntry } from "../../../snapshot/manifest.js";
import { type ExplorerSpace, readOutputState } from "../data/explorer-space.js";
import { FindingList, type Told } from "../parts/finding-list.js";
import { Pager } from "../parts/lists.js";
import { address } from "../parts/page.js";

const perPage = 100;

export interface SyncProblem {
  /** `space`: from reading the space; `content`: from rendering the content tree. */
  from: "space" | "content";
  code: string;
  message: string;
  hint: string;
  uuids: readonly string[];
  place?: Problem["place"];
  names?: NamedProblem["names"];
}

/** All of them, those on this page of the list with names. */
export async function syncProblems({ source, store, config }: ExplorerSpace, page: number): Promise<SyncProblem[]> {
  const { manifest } = source.view().reader;
  const state = await readOutputState(store, manifest);
  const first = (page - 1) * perPage - state.spaceProblems.length;
  const [start, end] = [Math.max(0, first), Math.max(0, first + perPage)];
  const named = await nameProblems({ store, manifest, config }, state.contentProblems.slice(start, end));
  const ofContent = [...state.contentProblems.slice(0, start), ...named, ...state.contentProblems.slice(end)];
  return [
    ...state.spaceProblems.map((problem) => told("space", problem)),
    ...ofContent.map((problem) => told("content", problem)),
    ...manifest.notIncluded.map(({ part, reason }) => {
      return { from: "space" as const, code: "NOT_INCLUDED", message: `${part}: ${reason}`, hint: "", uuids: [] };
    }),
  ];
}

function told(from: SyncProblem["from"], { code, message, hint, about, place, names }: NamedProblem): SyncProblem {
  const uuids = about?.uuids ?? [];
  return { from, code: String(code), message, hint, uuids, ...(place && { place }), ...(names && { names }) };
}

type ListProperties = { problems: readonly SyncProblem[]; editions: readonly EditionEntry[]; page: number };

export function SyncProblems({ problems, editions, page }: ListProperties) {
  const start = (page - 1) * perPage;
  const href = (to: number) => address("problems", { show: "sync", page: to });
  return (
    <section aria-label="Problems of the last sync and export">
      <p>
        {problems.length === 0
          ? "The last sync and export reported no problem."
          : `${plural(problems.length, "problem")} of the last sync and export.`}
      </p>
      <FindingList findings={problems.slice(start, start + perPage).map((problem) => placed(problem, editions))} />
      <Pager page={page} perPage={perPage} total={problems.length} href={href} />
    </section>
  );
}

/** The problem as a finding: its message without the place, which is told apart from it. */
function placed({ place, names, ...problem }: SyncProblem, editions: readonly EditionEntry[]): Told {
  const edition = editions.find(({ name }) => name === place?.edition);
  if (place === undefined || names === undefined || edition === undefined)
    return { ...problem, story: null, field: null };
  const { story, field } = names;
  const where = `In ${[storyTitle(story, edition), ...(field === undefined ? [] : [field])].join(", ")}, `;
  const rest = names.message.startsWith(where) ? names.message.slice(where.length) : names.message;
  const message = rest.slice(0, 1).toUpperCase() + rest.slice(1);
  return {
    ...problem,
    story: { uuid: place.story, slug: story.slug, language: edition.language },
    field: place.field ?? null,
    names: { ...names, message },
  };
}
