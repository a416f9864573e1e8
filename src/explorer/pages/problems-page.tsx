import { type Finding, findingLevels } from "../../check/finding.js";
import type { ExplorerSpace } from "../explorer-space.js";
import { FacetList } from "../facets.js";
import { FindingList } from "../finding-list.js";
import { type FindingsKind, type FoundInCheck, findingsOf } from "../findings.js";
import { address, type Page, type PageRequest, pageNumber } from "../page.js";
import { Pager, Table } from "../parts.js";
import type { Facet } from "../story-list.js";
import { grouped, plural } from "../text.js";
import { type SyncProblem, SyncProblems, syncProblems } from "./sync-problems.js";

const perPage = 100;
/** How long the page waits for a check that is under way, in milliseconds. */
const waitMs = 400;
/** Folders that are offered to narrow the list. */
const offeredFolders = 50;

/** `/problems`: what `check` finds in the content, and what the last sync and the last export told of. */
export async function makeProblemsPage(space: ExplorerSpace, request: PageRequest): Promise<Page> {
  const asked = (name: string) => (request.query.get(name) ?? "").slice(0, 300);
  const kind: FindingsKind = asked("show") === "new" ? "new" : "all";
  const [findings, told] = [await findingsOf(space, kind, waitMs), await syncProblems(space)];
  if (findings === "absent") return syncPage(told, request);
  if (findings === "pending") return pendingPage(told, request);
  const selected = {
    show: kind === "new" ? "new" : "",
    level: asked("level"),
    rule: asked("rule"),
    language: asked("language"),
    folder: asked("folder").replace(/^\/+|\/+$/g, ""),
    story: asked("story"),
  };
  const fitting = findings.findings.filter((finding) => fits(finding, selected));
  const page = pageNumber(request);
  const shown = fitting.slice((page - 1) * perPage, page * perPage);
  const list: ListedFindings = {
    findings,
    fitting,
    shown,
    page,
    selected,
    facets: facetsOf(fitting, selected.folder),
    href: (change) => address("problems", { ...selected, ...change }),
  };
  const { generation, since, ignored, known, found = findings.findings.length } = findings;
  return {
    title: "Problems",
    section: "problems",
    data: {
      ...{ generation, since, total: fitting.length, page, perPage, selected, found, ignored, known },
      ...{ facets: list.facets, findings: shown, ofSync: told },
    },
    view: () => (
      <>
        <h1>Problems</h1>
        <Switch list={list} />
        <div class="browse">
          <Facets list={list} />
          <div>
            <Selected list={list} />
            <Found list={list} />
            <Ignored space={space} findings={findings} />
            <SyncProblems problems={told} page={1} href={() => address("problems")} />
          </div>
        </div>
      </>
    ),
  };
}

type Selected = Readonly<Record<"show" | "level" | "rule" | "language" | "folder" | "story", string>>;

interface ListedFindings {
  findings: FoundInCheck;
  fitting: readonly Finding[];
  shown: readonly Finding[];
  page: number;
  selected: Selected;
  facets: { levels: Facet[]; rules: Facet[]; languages: Facet[]; folders: Facet[] };
  href(change: Readonly<Record<string, string | number>>): string;
}

function fits({ code, level, story }: Finding, selected: Selected): boolean {
  return (
    (selected.level === "" || level === selected.level) &&
    (selected.rule === "" || code === selected.rule) &&
    (selected.language === "" || story?.language === selected.language) &&
    (selected.story === "" || story?.uuid === selected.story) &&
    (selected.folder === "" || story?.slug.startsWith(`${selected.folder}/`) === true)
  );
}

/** How many of the findings that are shown are of each level, rule, language and folder below the selected one. */
function facetsOf(findings: readonly Finding[], folder: string): ListedFindings["facets"] {
  const below = folder === "" ? 0 : folder.length + 1;
  const folderOf = ({ story }: Finding): string | undefined => {
    const [first, ...rest] = story?.slug.slice(below).split("/") ?? [];
    return rest.length === 0 ? undefined : first;
  };
  const levels = counted(findings.map(({ level }) => level));
  return {
    levels: findingLevels.flatMap((level) => levels.filter(({ value }) => value === level)),
    rules: counted(findings.map(({ code }) => code)),
    languages: counted(findings.map(({ story }) => story?.language)),
    folders: counted(findings.map(folderOf)).slice(0, offeredFolders),
  };
}

/** The most frequent ones first. */
function counted(values: readonly (string | undefined)[]): Facet[] {
  const counts = new Map<string, number>();
  for (const value of values) if (value !== undefined) counts.set(value, (counts.get(value) ?? 0) + 1);
  return [...counts]
    .map(([value, count]) => ({ value, count }))
    .sort((a, b) => b.count - a.count || (a.value < b.value ? -1 : 1));
}

function Switch({ list: { findings, selected, href } }: { list: ListedFindings }) {
  const isNew = selected.show === "new";
  const choices: readonly (readonly [boolean, string, string])[] = [
    [!isNew, "", "All"],
    [isNew, "new", "New in this generation"],
  ];
  return (
    <>
      <nav aria-label="Which problems">
        <ul class="chips">
          {choices.map(([isCurrent, show, text]) => (
            <li>{isCurrent ? <b aria-current="true">{text}</b> : <a href={href({ show })}>{text}</a>}</li>
          ))}
        </ul>
      </nav>
      {isNew ? (
        <p class="quiet">
          {findings.since === null
            ? "No generation before this one is kept: all of its problems count as new."
            : `Generation ${findings.since} did not have them.`}
        </p>
      ) : null}
    </>
  );
}

function Facets({ list: { facets, selected, href } }: { list: ListedFindings }) {
  const folder = selected.folder === "" ? "" : `${selected.folder}/`;
  return (
    <aside class="facets" aria-label="Narrow the list">
      <FacetList title="Levels" facets={facets.levels} href={(level) => href({ level })} current={selected.level} />
      <FacetList title="Rules" facets={facets.rules} href={(rule) => href({ rule })} current={selected.rule} />
      <FacetList title="Folders" facets={facets.folders} href={(name) => href({ folder: folder + name })} current="" />
      <FacetList
        title="Languages"
        facets={facets.languages}
        href={(language) => href({ language })}
        current={selected.language}
      />
    </aside>
  );
}

/** What the list is narrowed to, each with a link that takes it away. */
function Selected({ list: { selected, href } }: { list: ListedFindings }) {
  const names = (["level", "rule", "language", "folder", "story"] as const).filter((name) => selected[name] !== "");
  if (names.length === 0) return null;
  return (
    <ul class="chips" aria-label="What is selected">
      {names.map((name) => (
        <li>
          {name}: <b dir="auto">{selected[name]}</b>{" "}
          <a href={href({ [name]: "" })} aria-label={`Remove ${name} ${selected[name]}`}>
            ×
          </a>
        </li>
      ))}
    </ul>
  );
}

function Found({ list: { findings, fitting, shown, page, href } }: { list: ListedFindings }) {
  const stories = plural(findings.stories, "story", "stories");
  return (
    <section aria-label="Problems of the content">
      <p>
        {fitting.length === 0 ? (
          `Nothing was found in ${stories} of generation ${findings.generation}.`
        ) : (
          <>
            <b>{plural(fitting.length, "problem")}</b> in generation {findings.generation}
          </>
        )}
      </p>
      {findings.found !== undefined && findings.found > findings.findings.length ? (
        <p class="notice">
          The worst {grouped(findings.findings.length)} of {grouped(findings.found)} are shown;{" "}
          <code>offprint check</code> prints all of them.
        </p>
      ) : null}
      <FindingList findings={shown} start={(page - 1) * perPage + 1} />
      <Pager page={page} perPage={perPage} total={fitting.length} href={(to) => href({ page: to })} />
    </section>
  );
}

/** What the configuration leaves out, with its reasons. */
function Ignored({ space: { ignore = [] }, findings }: { space: ExplorerSpace; findings: FoundInCheck }) {
  if (ignore.length === 0) return null;
  return (
    <Table
      caption={`${grouped(findings.ignored)} ignored, as check.ignore says`}
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

/** The first check of a generation takes some seconds in a large space. */
function pendingPage(told: readonly SyncProblem[], request: PageRequest): Page {
  return {
    title: "Problems",
    section: "problems",
    data: { isComplete: false, findings: [], ofSync: told },
    againSeconds: 1,
    view: () => (
      <>
        <h1>Problems</h1>
        <p class="notice">The content is being checked. The page is asked for again until that is done.</p>
        <SyncProblems
          problems={told}
          page={pageNumber(request)}
          href={(page) => address("problems", { show: request.query.get("show") ?? "", page })}
        />
      </>
    ),
  };
}

function syncPage(told: readonly SyncProblem[], request: PageRequest): Page {
  const page = pageNumber(request);
  return {
    title: "Problems",
    section: "problems",
    data: { total: told.length, page, ofSync: told },
    view: () => (
      <>
        <h1>Problems</h1>
        <SyncProblems problems={told} page={page} href={(to) => address("problems", { page: to })} />
      </>
    ),
  };
}
