import type { Child } from "hono/jsx";
import { type Finding, toldFinding } from "../../../content/check/finding.js";
import { pageAddress } from "../../../content/names/editor-address.js";
import { inMap } from "../../../lib/collections/in-map.js";
import { languageName } from "../../../lib/language-name.js";
import { grouped } from "../../../lib/quantity-text.js";
import { Folded, OutsideLinks, textLink } from "./lists.js";
import { address, storyAddress } from "./page.js";

/** What is told of a finding, or of a problem of a sync. */
export type Told = Pick<Finding, "code" | "message" | "hint" | "field" | "names"> & {
  level?: Finding["level"];
  story: Pick<NonNullable<Finding["story"]>, "uuid" | "slug" | "language"> | null;
  /** Address of its page on the site. */
  page?: string | undefined;
  /** Uuids of other stories that it is about. */
  uuids?: readonly string[];
};

interface FindingListProperties {
  findings: readonly (Told | Finding)[];
  /** `site.url` of the configuration. */
  site?: string | undefined;
  /** Of each rule, how many findings it has, and the page that lists them. Default: those given. */
  rules?: ReadonlyMap<string, { count: number; href: string }>;
}

/** Findings by rule, each sentence once, with three examples; the others are folded. */
export function FindingList({ findings, site, rules }: FindingListProperties) {
  const told = findings.map(
    (finding): Told => ({ ...finding, message: toldFinding(finding), page: pageOf(finding, site) }),
  );
  const groups = groupFindings(told);
  return groups.map(({ code, hint, sentences }) => {
    const first = sentences[0]!.findings[0]!;
    const given = sentences.reduce((sum, { findings }) => sum + findings.length, 0);
    const { count, href } = rules?.get(code) ?? { count: given, href: address("problems", { rule: code }) };
    return (
      <section class="problems" aria-label={code}>
        <p>
          {first.level === undefined ? null : <b class={`level ${first.level}`}>{first.level}</b>}{" "}
          {first.level === undefined ? <code>{code}</code> : <a href={href}>{code}</a>}{" "}
          <span class="count">{grouped(count)}</span>
        </p>
        {hintOf(hint)}
        <Folded
          shown={shownExamples}
          items={sentences.map(({ message, hint, findings }) => (
            <li>
              <p dir="auto">{message}</p>
              {hintOf(hint)}
              <Folded shown={shownExamples} items={findings.flatMap(placeOf)} />
            </li>
          ))}
        />
        {count > given ? <a href={href}>All {grouped(count)}</a> : null}
      </section>
    );
  });
}

function pageOf({ story }: Told | Finding, site: string | undefined): string | undefined {
  if (story === null || !("url" in story)) return undefined;
  return story.edition.startsWith("published/") ? pageAddress(site, story.url) : undefined;
}

function hintOf(hint: string): Child {
  if (hint === "") return null;
  return (
    <p class="quiet" dir="auto">
      {hint}
    </p>
  );
}

const shownExamples = 3;
const linkedStories = 20;

/** Where it is: the story, its field, its language; else the stories that it is about. */
function placeOf({ story, names, uuids = [], field, page }: Told): Child[] {
  if (story === null) {
    return uuids.slice(0, linkedStories).map((uuid) => (
      <li>
        <a href={storyAddress(uuid)}>{uuid}</a>
      </li>
    ));
  }
  const { uuid, slug, language } = story;
  return [
    <li>
      {textLink(
        storyAddress(uuid, { language: language === "default" ? "" : language }),
        names?.story?.name || slug || uuid,
      )}
      {names?.story === undefined ? null : (
        <>
          {" "}
          <code dir="auto">{slug}</code>
        </>
      )}
      {field === null ? null : (
        <>
          {" · "}
          <span dir="auto" title={field}>
            {names?.field ?? field}
          </span>
        </>
      )}
      {language === "default" ? null : ` · ${languageName(language)}`}
      {names?.editor === undefined && page === undefined ? null : " · "}
      <OutsideLinks editor={names?.editor} page={page} />
    </li>,
  ];
}

interface Grouped {
  code: string;
  message: string;
  hint: string;
}

/** What one rule says. */
export interface FindingGroup<F extends Grouped> {
  code: string;
  /** Of all its findings, if they have the same. */
  hint: string;
  /** Findings with the same message and hint, in the order of the first of each. */
  sentences: { message: string; hint: string; findings: F[] }[];
}

/** Findings by rule, then by what they say, in the order of the first of each. */
export function groupFindings<F extends Grouped>(findings: readonly F[]): FindingGroup<F>[] {
  const rules = new Map<string, Map<string, F[]>>();
  for (const finding of findings) {
    const sentences = inMap(rules, finding.code, () => new Map<string, F[]>());
    inMap(sentences, `${finding.message}\n${finding.hint}`, () => [] as F[]).push(finding);
  }
  return [...rules].map(([code, found]) => {
    const lists = [...found.values()];
    const hint = lists[0]?.[0]?.hint ?? "";
    const isShared = lists.every(([first]) => first?.hint === hint);
    const sentences = lists.map((list) => {
      return { message: list[0]!.message, hint: isShared ? "" : list[0]!.hint, findings: list };
    });
    return { code, hint: isShared ? hint : "", sentences };
  });
}
