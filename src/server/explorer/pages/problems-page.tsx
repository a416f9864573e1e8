import { languageName } from "../../../lib/language-name.js";
import { grouped, plural } from "../../../lib/quantity-text.js";
import type { ExplorerSpace } from "../data/explorer-space.js";
import {
  type FindingSelection,
  type Findings,
  type FoundInCheck,
  facetsOf,
  filters,
  findingsOf,
  firstOfRules,
  fits,
  knownFindings,
} from "../data/findings.js";
import { FacetList, Facets } from "../parts/facets.js";
import { FindingList } from "../parts/finding-list.js";
import { Choices, Pager, Selected, Table } from "../parts/lists.js";
import { address, page } from "../parts/page.js";
import { SyncProblems, syncProblems } from "./sync-problems.js";

const perPage = 100;
/** Longest wait for a running check, in milliseconds. */
const waitMs = 400;

/** `/problems`: the findings of `check`; with `show=sync` the messages of the last sync and export. */
export const problemsPage = page({
  path: "problems",
  async load({ space, manifest, text, page }) {
    const show = text("show") === "new" ? "new" : "";
    const findings = await findingsOf(space, show === "new" ? "new" : "all", waitMs);
    const isSync = text("show") === "sync" || findings === "absent";
    const ofSync = await syncProblems(space, isSync ? page : 1);
    const { editions } = manifest;
    const all = findings === "pending" ? knownFindings(space) : findings;
    const about = { title: "Findings", ofSync, page, isSync, editions, inCheck: countOf(all) };
    if (findings === "absent") return { ...about, data: { total: ofSync.length, page, ofSync } };
    if (findings === "pending") {
      const data = { isComplete: false, findings: [], ofSync };
      return { ...about, data, againSeconds: isSync ? undefined : 1 };
    }
    const selected = {
      show,
      level: text("level"),
      rule: text("rule"),
      language: text("language"),
      folder: text("folder").replace(/^\/+|\/+$/g, ""),
      story: text("story"),
    };
    const list = listed(space, findings, selected, page);
    const { shown, paged, facets } = list;
    const { generation, since, ignored, known, found = findings.findings.length } = findings;
    const data = { generation, since, ...paged, selected, found, ignored, known, facets, findings: shown, ofSync };
    return { ...about, data, list };
  },
  view: (loaded) => (
    <>
      <h1>Findings</h1>
      <Choices
        label="Where from"
        choices={[
          [`Content check${inBrackets(loaded.inCheck)}`, !loaded.isSync, address("problems")],
          [`Last sync${inBrackets(loaded.ofSync.length)}`, loaded.isSync, address("problems", { show: "sync" })],
        ]}
      />
      {loaded.isSync ? (
        <SyncProblems problems={loaded.ofSync} editions={loaded.editions} page={loaded.page} />
      ) : "list" in loaded ? (
        <InContent list={loaded.list} />
      ) : (
        // The first check of a generation takes some seconds in a large space.
        <p class="notice">The content is being checked. This page reloads until that is done.</p>
      )}
    </>
  ),
});

function countOf(findings: Findings | undefined): number | undefined {
  if (typeof findings !== "object" || findings.since !== null) return undefined;
  return findings.found ?? findings.findings.length;
}

/** A count, if it is known. */
function inBrackets(count: number | undefined): string {
  return count === undefined ? "" : ` (${grouped(count)})`;
}

/** The findings that fit a selection, and those of them on this page. */
function listed(space: ExplorerSpace, findings: FoundInCheck, selected: FindingSelection, page: number) {
  const fitting = findings.findings.filter((finding) => fits(finding, selected));
  const shown = fitting.slice((page - 1) * perPage, page * perPage);
  const paged = { total: fitting.length, page, perPage };
  const [ignore, site] = [space.ignore ?? [], space.config.site.url];
  const href = (change: Readonly<Record<string, string | number>>) => address("problems", { ...selected, ...change });
  return { findings, fitting, shown, paged, selected, facets: facetsOf(fitting, selected.folder), ignore, site, href };
}

type ListedFindings = ReturnType<typeof listed>;

function InContent({ list }: { list: ListedFindings }) {
  return (
    <>
      <Switch list={list} />
      <div class="browse">
        <FindingFacetLists list={list} />
        <div>
          <Selected values={filters.map((name) => [name, list.selected[name], list.href({ [name]: "" })])} />
          <Found list={list} />
          <Ignored {...list} />
        </div>
      </div>
    </>
  );
}

function Switch({ list: { findings, selected, href } }: { list: ListedFindings }) {
  const isNew = selected.show === "new";
  return (
    <>
      <Choices
        label="Which findings"
        choices={[
          ["All", !isNew, href({ show: "" })],
          ["New in this generation", isNew, href({ show: "new" })],
        ]}
      />
      {isNew ? (
        <p class="quiet">
          {findings.since === null
            ? "No earlier generation is kept, so all findings count as new."
            : `Generation ${findings.since} did not have these findings.`}
        </p>
      ) : null}
    </>
  );
}

function FindingFacetLists({ list: { facets, selected, href } }: { list: ListedFindings }) {
  const folder = selected.folder === "" ? "" : `${selected.folder}/`;
  return (
    <Facets>
      <FacetList title="Levels" facets={facets.levels} href={(level) => href({ level })} current={selected.level} />
      <FacetList title="Rules" facets={facets.rules} href={(rule) => href({ rule })} current={selected.rule} />
      <FacetList title="Folders" facets={facets.folders} href={(name) => href({ folder: folder + name })} />
      <FacetList
        title="Languages"
        facets={facets.languages}
        name={languageName}
        href={(language) => href({ language })}
        current={selected.language}
      />
    </Facets>
  );
}

function Found({ list }: { list: ListedFindings }) {
  const { findings, fitting, shown, paged, facets, selected, site, href } = list;
  const isRule = selected.rule !== "";
  const ofRules = facets.rules.map(({ value, count }) => [value, { count, href: href({ rule: value }) }] as const);
  const stories = plural(findings.stories, "story", "stories");
  return (
    <section aria-label="Findings in the content">
      <p>
        {paged.total === 0 ? (
          `No findings in ${stories} of generation ${findings.generation}.`
        ) : (
          <>
            <b>{plural(paged.total, "finding")}</b> in generation {findings.generation}
          </>
        )}
      </p>
      {findings.found !== undefined && findings.found > findings.findings.length ? (
        <p class="notice">
          Showing the worst {grouped(findings.findings.length)} of {grouped(findings.found)};{" "}
          <code>npx offprint check</code> prints all of them.
        </p>
      ) : null}
      <FindingList findings={isRule ? shown : firstOfRules(fitting)} site={site} rules={new Map(ofRules)} />
      {isRule ? <Pager {...paged} href={(to) => href({ page: to })} /> : null}
    </section>
  );
}

function Ignored({ ignore, findings }: Pick<ListedFindings, "ignore" | "findings">) {
  if (ignore.length === 0) return null;
  return (
    <Table
      caption={`${grouped(findings.ignored)} ignored by check.ignore`}
      head={["Rule", "Stories", "Fields", "Reason"]}
      rows={ignore.map(({ code, story, field, reason }) => [
        <code>{code}</code>,
        <span dir="auto">{story ?? "all"}</span>,
        <span dir="auto">{field ?? "all"}</span>,
        <span dir="auto">{reason}</span>,
      ])}
    />
  );
}
