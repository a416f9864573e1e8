import type { Child } from "hono/jsx";
import type { TextPiece } from "../story-diff/diff-text.js";
import type { DifferenceEntry } from "../story-diff/difference-entries.js";
import { cut, grouped } from "./text.js";

/** A table with its caption; it scrolls by itself where the page is narrow. */
export function Table({
  caption,
  head,
  rows,
}: {
  caption: string;
  head: readonly Child[];
  rows: readonly (readonly Child[])[];
}) {
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

/** Where the pages before and after this one are. */
export function Pager({
  page,
  perPage,
  total,
  href,
}: {
  page: number;
  perPage: number;
  total: number;
  href(page: number): string;
}) {
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

/** Facts with their names. */
export function Facts({ facts }: { facts: readonly (readonly [string, Child])[] }) {
  return (
    <dl class="facts">
      {facts.map(([name, value]) => (
        <div>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
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
