import type { Child } from "hono/jsx";
import { grouped } from "../../../lib/quantity-text.js";
import type { RelatedStory } from "../data/related-stories.js";
import type { NamedStory } from "../data/story-list.js";
import { address, type StoryParameters, storyAddress } from "./page.js";

interface TableProperties {
  caption: string;
  head: readonly string[];
  rows: readonly (readonly Child[])[];
}

/** A table with a caption. On phones each row is a card whose cells name their columns; elsewhere it scrolls by itself. */
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
              {cells.map((cell, place) => (
                <td data-label={head[place]}>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

interface RelatedProperties {
  caption: string;
  stories: readonly RelatedStory[];
  parameters: StoryParameters;
  /** Names the column of the fields. */
  fields?: string;
}

export function RelatedTable({ caption, stories, parameters, fields = "Fields" }: RelatedProperties) {
  return (
    <Table
      caption={caption}
      head={["Story", "Slug", fields]}
      rows={stories.map((story) => [...storyCells(story, parameters), fieldsCell(story)])}
    />
  );
}

export function fieldsCell({ fields }: RelatedStory): Child {
  return <span dir="auto">{fields.slice(0, 5).join(", ")}</span>;
}

/** `and 8 more`; nothing where all are shown. */
export function More({ count }: { count: number }) {
  return count > 0 ? <p class="quiet">and {grouped(count)} more</p> : null;
}

interface FoldedProperties {
  items: readonly Child[];
  /** How many of them are not folded. */
  shown: number;
  /** Of a list that is cut. */
  total?: number;
}

/** A list of which all but the first items are folded. */
export function Folded({ items, shown, total = items.length }: FoldedProperties) {
  if (total === 0) return null;
  return (
    <>
      <ul>{items.slice(0, shown)}</ul>
      {total <= shown ? null : (
        <details>
          <summary>{grouped(total - shown)} more</summary>
          <ul>{items.slice(shown)}</ul>
          <More count={total - items.length} />
        </details>
      )}
    </>
  );
}

/** A link to a story in the platform's editor, and one to its page on the site, where their addresses are known. */
export function OutsideLinks({ editor, page }: { editor: string | undefined; page: string | undefined }) {
  const link = (href: string | undefined, text: string) =>
    href === undefined ? null : (
      <a href={href} rel="noreferrer noopener" target="_blank">
        {text}
      </a>
    );
  return (
    <>
      {link(editor, "Open in the editor")} {link(page, "Open on the site")}
    </>
  );
}

interface PagerProperties {
  page: number;
  perPage: number;
  total: number;
  href(page: number): string;
}

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

/** Named facts; skips `false`. */
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
  /** Without an address: what cannot be chosen. */
  choices: readonly (readonly [text: string, isCurrent: boolean, href: string | undefined])[];
}

export function Choices({ label, choices }: ChoicesProperties) {
  return (
    <nav aria-label={label}>
      <ul class="chips">
        {choices.map(([text, isCurrent, href]) => (
          <li>
            {isCurrent ? (
              <b aria-current="true">{text}</b>
            ) : href === undefined ? (
              <span class="quiet">{text}: missing</span>
            ) : (
              <a href={href}>{text}</a>
            )}
          </li>
        ))}
      </ul>
    </nav>
  );
}

export function Selected({ values }: { values: readonly (readonly [text: string, value: string, without: string])[] }) {
  const selected = values.filter(([, value]) => value !== "");
  if (selected.length === 0) return null;
  return (
    <ul class="chips" aria-label="Active filters">
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

interface GenerationProperties {
  name: string;
  offered: readonly (readonly [generation: number, text: string])[];
  selected: number | undefined;
}

export function Generation({ name, offered, selected }: GenerationProperties) {
  return (
    <select id={name} name={name}>
      {offered.map(([generation, text]) => (
        <option value={String(generation)} {...(generation === selected ? { selected: true } : {})}>
          {text}
        </option>
      ))}
    </select>
  );
}

interface GenerationsProperties extends Pick<GenerationProperties, "offered"> {
  path: string;
  parameters?: Readonly<Record<string, string>>;
  from: number | undefined;
  to: number;
}

export function Generations({ path, parameters = {}, offered, from, to }: GenerationsProperties) {
  const choice = (name: string, label: string, selected: number | undefined) => [
    <label for={name}>{label}</label>,
    <Generation name={name} offered={offered} selected={selected} />,
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

export function storyLink(story: NamedStory, href: string): Child {
  return textLink(href, story.name || story.full_slug || story.uuid);
}

/** Its name, which leads to its page, and its slug. */
export function storyCells(story: NamedStory, parameters: StoryParameters): Child[] {
  return [storyLink(story, storyAddress(story.uuid, parameters)), <code dir="auto">{story.full_slug}</code>];
}

export function textLink(href: string, text: string): Child {
  return (
    <a href={href} dir="auto">
      {text}
    </a>
  );
}

export function textBox(text: string): Child {
  return (
    <div class="text" dir="auto">
      {text}
    </div>
  );
}

interface CrumbsProperties {
  folders: readonly string[];
  href(folder: string): string;
  /** Whether the last folder is the page itself. */
  isHere?: boolean;
}

export function Crumbs({ folders, href, isHere = false }: CrumbsProperties) {
  const last = isHere ? folders.length - 1 : undefined;
  return (
    <nav class="crumbs" aria-label="Folders">
      <ol>
        <li>{last === -1 ? <b>All folders</b> : <a href={href("")}>All folders</a>}</li>
        {folders.map((folder, place) => {
          const path = folders.slice(0, place + 1).join("/");
          return <li>{place === last ? <b dir="auto">{folder}</b> : textLink(href(path), folder)}</li>;
        })}
      </ol>
    </nav>
  );
}
