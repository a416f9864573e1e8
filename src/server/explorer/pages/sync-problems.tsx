import { type NamedProblem, nameProblems } from "../../../content/names/name-problems.js";
import type { Problem } from "../../../lib/errors.js";
import { plural } from "../../../lib/quantity-text.js";
import { type ExplorerSpace, readOutputState } from "../data/explorer-space.js";
import { EditorLink, Pager, textLink } from "../parts/lists.js";
import { storyAddress } from "../parts/page.js";

const perPage = 100;
const linkedStories = 20;

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

type ListProperties = { problems: readonly SyncProblem[]; page: number; href(page: number): string };

export function SyncProblems({ problems, page, href }: ListProperties) {
  const start = (page - 1) * perPage;
  return (
    <section aria-labelledby="of-sync">
      <h2 id="of-sync">Problems of the last sync and export</h2>
      <p>{problems.length === 0 ? "Neither reported a problem." : `${plural(problems.length, "problem")}.`}</p>
      <ol class="problems" start={start + 1}>
        {problems.slice(start, start + perPage).map(({ code, message, hint, uuids, place, names }) => (
          <li>
            <p>
              <code>{code}</code> <span dir="auto">{names?.message ?? message}</span>
            </p>
            {place === undefined || names === undefined ? null : (
              <p>
                {textLink(storyAddress(place.story), names.story.name || names.story.slug)}
                {names.editor === undefined ? null : " · "}
                <EditorLink href={names.editor} />
              </p>
            )}
            {hint === "" ? null : (
              <p class="quiet" dir="auto">
                {hint}
              </p>
            )}
            {uuids.length === 0 ? null : (
              <p>
                {uuids.slice(0, linkedStories).map((uuid) => (
                  <>
                    <a href={storyAddress(uuid)}>{uuid}</a>{" "}
                  </>
                ))}
              </p>
            )}
          </li>
        ))}
      </ol>
      <Pager page={page} perPage={perPage} total={problems.length} href={href} />
    </section>
  );
}
