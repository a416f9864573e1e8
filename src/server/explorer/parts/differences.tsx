import { bothTimes, type TextPiece } from "../../../content/diff/diff-text.js";
import type { DifferenceEntry } from "../../../content/diff/difference-entries.js";
import { More } from "./lists.js";
import { cut } from "./page.js";

/** Unchanged characters shown around a change. */
const around = 120;
const shownCharacters = 20_000;

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
      <More count={entries.length - shown.length} />
    </>
  );
}

function Paragraphs({ entry: { paragraphs = [] } }: { entry: DifferenceEntry }) {
  if (paragraphs.length === 0) return <p class="quiet">only the formatting</p>;
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

function Words({ pieces }: { pieces: readonly TextPiece[] }) {
  const times = bothTimes(pieces);
  if (times !== undefined) {
    return (
      <>
        <del>{times[0]}</del> → <ins>{times[1]}</ins>
      </>
    );
  }
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
