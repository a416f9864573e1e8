import type { Child } from "hono/jsx";
import { grouped } from "../../../lib/quantity-text.js";
import type { Facet } from "../data/story-list.js";
import { address } from "./page.js";

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

interface FacetProperties {
  title: string;
  facets: readonly Facet[];
  href(value: string): string;
  current?: string;
}

/** Values of one kind with their counts, each a link that narrows a list to it. */
export function FacetList({ title, facets, href, current = "" }: FacetProperties) {
  if (facets.length === 0) return null;
  return (
    <FacetBox title={title}>
      <ul>
        {facets.map(({ value, count }) => (
          <li>
            <a href={href(value)} {...(value === current ? { "aria-current": "true" } : {})}>
              <span dir="auto">{value}</span> <span class="count">{grouped(count)}</span>
            </a>
          </li>
        ))}
      </ul>
    </FacetBox>
  );
}

/** Values of one kind, which can be folded away. */
export function FacetBox({ title, children }: { title: string; children?: Child }) {
  return (
    <details open>
      <summary>{title}</summary>
      {children}
    </details>
  );
}
