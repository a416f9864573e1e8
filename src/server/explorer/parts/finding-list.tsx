import type { Child } from "hono/jsx";
import { type Finding, toldFinding } from "../../../content/check/finding.js";
import { pageAddress } from "../../../content/names/page-address.js";
import { grouped } from "../../../lib/quantity-text.js";
import { groupFindings } from "../data/group-findings.js";
import { EditorLink, SiteLink, textLink } from "./lists.js";
import { address, storyAddress } from "./page.js";

type FindingStory = NonNullable<Finding["story"]>;

/** What is told of a finding, or of a problem of a sync. */
export type Told = Pick<Finding, "code" | "message" | "hint" | "field" | "names"> & {
  level?: Finding["level"];
  story: (Pick<FindingStory, "uuid" | "slug" | "language"> & Partial<Pick<FindingStory, "url" | "edition">>) | null;
  /** Uuids of other stories that it is about. */
  uuids?: readonly string[];
};

interface FindingListProperties {
  findings: readonly Told[];
  /** `site.url` of the configuration. */
  site?: string | undefined;
  /** Of each rule, how many findings it has, and the page that lists them. Default: those given. */
  rules?: ReadonlyMap<string, { count: number; href: string }>;
}

/** Findings by rule, each sentence once, with three examples; the others are folded. */
export function FindingList({ findings, site, rules }: FindingListProperties) {
  const groups = groupFindings(findings.map((finding) => ({ ...finding, message: toldFinding(finding) })));
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
          items={sentences.map(({ message, hint, findings }) => (
            <li>
              <p dir="auto">{message}</p>
              {hintOf(hint)}
              <Folded items={findings.flatMap((finding) => placeOf(finding, site))} />
            </li>
          ))}
        />
        {count > given ? <a href={href}>All {grouped(count)}</a> : null}
      </section>
    );
  });
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

function Folded({ items }: { items: readonly Child[] }) {
  if (items.length === 0) return null;
  const rest = items.slice(shownExamples);
  return (
    <>
      <ul>{items.slice(0, shownExamples)}</ul>
      {rest.length === 0 ? null : (
        <details>
          <summary>{grouped(rest.length)} more</summary>
          <ul>{rest}</ul>
        </details>
      )}
    </>
  );
}

const linkedStories = 20;

/** Where it is: the story, its field, its language; else the stories that it is about. */
function placeOf({ story, names, uuids = [], field }: Told, site: string | undefined): Child[] {
  if (story === null) {
    return uuids.slice(0, linkedStories).map((uuid) => (
      <li>
        <a href={storyAddress(uuid)}>{uuid}</a>
      </li>
    ));
  }
  const { uuid, slug, language, url, edition = "" } = story;
  const isPublished = url !== undefined && edition.startsWith("published/");
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
      {language === "default" ? null : ` · ${language}`}
      {names?.editor === undefined ? null : " · "}
      <EditorLink href={names?.editor} /> <SiteLink href={isPublished ? pageAddress(site, url) : undefined} />
    </li>,
  ];
}
