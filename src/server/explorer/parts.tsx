import type { Child } from "hono/jsx";
import type { TextPiece } from "../../content/diff/diff-text.js";
import type { DifferenceEntry } from "../../content/diff/difference-entries.js";
import { grouped } from "../../lib/quantity-text.js";
import { address } from "./page.js";
import { cut } from "./shown-text.js";

interface TableProperties {
  caption: string;
  head: readonly Child[];
  rows: readonly (readonly Child[])[];
}

/** A table with its caption; it scrolls by itself where the page is narrow. */
export function Table({ caption, head, rows }: TableProperties) {
  return (
    <section class="table" aria-label={caption} tabindex={0}>
      <table>
        <caption>{caption}</caption>
        <thead>
          <tr>
            {head.map((text) => (
              <th scope="col">{text}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((cells) => (
            <tr>
              {cells.map((cell) => (
                <td>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

interface PagerProperties {
  page: number;
  perPage: number;
  total: number;
  href(page: number): string;
}

/** Where the pages before and after this one are. */
export function Pager({ page, perPage, total, href }: PagerProperties) {
  const last = Math.max(1, Math.ceil(total / perPage));
  if (last === 1 && page === 1) return null;
  return (
    <nav class="pager" aria-label="Pages of this list">
      {page > 1 ? <a href={href(Math.min(page - 1, last))}>← Previous</a> : <span />}
      <span>
        {page > last
          ? `There is no page ${grouped(page)}: the last one is ${grouped(last)}`
          : `Page ${grouped(page)} of ${grouped(last)}`}
      </span>
      {page < last ? <a href={href(page + 1)}>Next →</a> : <span />}
    </nav>
  );
}

/** Facts with their names; false is none. */
export function Facts({ facts }: { facts: readonly (readonly [string, Child] | false)[] }) {
  return (
    <dl class="facts">
      {facts.map(
        (fact) =>
          fact && (
            <div>
              <dt>{fact[0]}</dt>
              <dd>{fact[1]}</dd>
            </div>
          ),
      )}
    </dl>
  );
}

/** Numbers that are seen first: each with what it counts, and where that is listed. */
export function Tiles({ tiles }: { tiles: readonly (readonly [value: Child, text: string, href?: string])[] }) {
  return (
    <ul class="tiles">
      {tiles.map(([value, text, href]) => {
        const tile = [<b>{value}</b>, <span>{text}</span>];
        return <li>{href === undefined ? tile : <a href={href}>{tile}</a>}</li>;
      })}
    </ul>
  );
}

interface ChoicesProperties {
  label: string;
  choices: readonly (readonly [text: string, isCurrent: boolean, href: string])[];
}

/** Lists beside each other, of which one is shown. */
export function Choices({ label, choices }: ChoicesProperties) {
  return (
    <nav aria-label={label}>
      <ul class="chips">
        {choices.map(([text, isCurrent, href]) => (
          <li>{isCurrent ? <b aria-current="true">{text}</b> : <a href={href}>{text}</a>}</li>
        ))}
      </ul>
    </nav>
  );
}

/** What a list is narrowed to, each with a link that takes it away. */
export function Selected({ values }: { values: readonly (readonly [text: string, value: string, without: string])[] }) {
  const selected = values.filter(([, value]) => value !== "");
  if (selected.length === 0) return null;
  return (
    <ul class="chips" aria-label="What is selected">
      {selected.map(([text, value, without]) => (
        <li>
          {text}: <b dir="auto">{value}</b>{" "}
          <a href={without} aria-label={`Remove ${text} ${value}`}>
            ×
          </a>
        </li>
      ))}
    </ul>
  );
}

interface GenerationsProperties {
  path: string;
  /** What the address keeps. */
  parameters?: Readonly<Record<string, string>>;
  /** The generations that are offered, each as it is called. */
  offered: readonly (readonly [generation: number, text: string])[];
  from: number | undefined;
  to: number;
}

/** Asks which two generations are compared. */
export function Generations({ path, parameters = {}, offered, from, to }: GenerationsProperties) {
  const choice = (name: string, label: string, selected: number | undefined) => [
    <label for={name}>{label}</label>,
    <select id={name} name={name}>
      {offered.map(([generation, text]) => (
        <option value={String(generation)} {...(generation === selected ? { selected: true } : {})}>
          {text}
        </option>
      ))}
    </select>,
  ];
  return (
    <form action={address(path)} class="line">
      {Object.entries(parameters).map(([name, value]) => (
        <input type="hidden" name={name} value={value} />
      ))}
      {choice("from", "From generation", from)}
      {choice("to", "to", to)}
      <button type="submit">Compare</button>
    </form>
  );
}

/** A story by its name, as a link. */
export function storyLink(story: { name: string; full_slug: string; uuid: string }, href: string): Child {
  return (
    <a href={href} dir="auto">
      {story.name || story.full_slug || story.uuid}
    </a>
  );
}

/** Characters of an unchanged stretch that stand beside a change. */
const around = 120;
const shownCharacters = 20_000;

/** A text with what came and went in it. */
function Words({ pieces }: { pieces: readonly TextPiece[] }) {
  return (
    <span class="words" dir="auto">
      {pieces.map(({ change, text }, place) => {
        if (change === "added") return <ins>{cut(text, shownCharacters)}</ins>;
        if (change === "removed") return <del>{cut(text, shownCharacters)}</del>;
        const start = place > 0 ? text.slice(0, around) : "";
        const end = place < pieces.length - 1 ? text.slice(-around) : "";
        return text.length <= 2 * around ? text : `${start} … ${end}`;
      })}
    </span>
  );
}

/** What differs in one story, place by place. */
export function Differences({ entries }: { entries: readonly DifferenceEntry[] }) {
  const shown = entries.slice(0, 500);
  return (
    <>
      <ol class="differences">
        {shown.map((entry) => (
          <li class={entry.change}>
            <p class="path">
              <b>{entry.change}</b> <span dir="auto">{entry.path}</span>
            </p>
            {entry.from === undefined ? null : <p class="quiet">was {entry.from}</p>}
            {entry.words === undefined ? null : (
              <p>
                <Words pieces={entry.words} />
              </p>
            )}
            {entry.paragraphs === undefined ? null : <Paragraphs entry={entry} />}
            {entry.before === undefined ? null : (
              <pre class="gone">
                <del>{cut(entry.before, shownCharacters)}</del>
              </pre>
            )}
            {entry.after === undefined ? null : (
              <pre class="came">
                <ins>{cut(entry.after, shownCharacters)}</ins>
              </pre>
            )}
          </li>
        ))}
      </ol>
      {entries.length > shown.length ? <p class="quiet">and {grouped(entries.length - shown.length)} more</p> : null}
    </>
  );
}

function Paragraphs({ entry: { paragraphs = [] } }: { entry: DifferenceEntry }) {
  if (paragraphs.length === 0) return <p class="quiet">formatting alone</p>;
  return (
    <ul class="paragraphs">
      {paragraphs.slice(0, 500).map(({ is, pieces, formatting }) => (
        <li>
          <span class="quiet">
            {is}
            {formatting ? ", formatting" : ""}:
          </span>{" "}
          <Words pieces={pieces} />
        </li>
      ))}
    </ul>
  );
}
