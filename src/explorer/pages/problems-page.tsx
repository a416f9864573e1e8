import type { Problem } from "../../errors.js";
import type { ExplorerSpace } from "../explorer-space.js";
import { readOutputState } from "../output-state.js";
import { address, type Page, type PageRequest, pageNumber, storyAddress } from "../page.js";
import { Pager } from "../parts.js";
import { plural } from "../text.js";

const perPage = 100;

/** `/problems`: what the last sync and the last export found. */
export async function makeProblemsPage({ source, store }: ExplorerSpace, request: PageRequest): Promise<Page> {
  const { manifest } = source.view().reader;
  const state = await readOutputState(store, manifest);
  const all = [
    ...state.spaceProblems.map((problem) => told("space", problem)),
    ...state.contentProblems.map((problem) => told("content", problem)),
    ...manifest.notIncluded.map(({ part, reason }) => {
      return { from: "space", code: "NOT_INCLUDED", message: `${part}: ${reason}`, hint: "", uuids: [] as string[] };
    }),
  ];
  const page = pageNumber(request);
  const problems = all.slice((page - 1) * perPage, page * perPage);
  const view = () => (
    <>
      <h1>Problems</h1>
      <p>
        {all.length === 0
          ? "Nothing is wrong, as far as the last sync saw."
          : `${plural(all.length, "problem")} that the last sync and export told of.`}
      </p>
      <ol class="problems" start={(page - 1) * perPage + 1}>
        {problems.map((problem) => (
          <li>
            <p>
              <code>{problem.code}</code> <span dir="auto">{problem.message}</span>
            </p>
            {problem.hint === "" ? null : (
              <p class="quiet" dir="auto">
                {problem.hint}
              </p>
            )}
            {problem.uuids.length > 0 ? (
              <p>
                {problem.uuids.slice(0, 20).map((uuid) => (
                  <>
                    <a href={storyAddress(uuid)}>{uuid}</a>{" "}
                  </>
                ))}
              </p>
            ) : null}
          </li>
        ))}
      </ol>
      <Pager page={page} perPage={perPage} total={all.length} href={(to) => address("problems", { page: to })} />
    </>
  );
  return { title: "Problems", section: "problems", data: { total: all.length, page, perPage, problems }, view };
}

function told(from: string, { code, message, hint, about }: Problem) {
  return { from, code: String(code), message, hint, uuids: about?.uuids ?? [] };
}
