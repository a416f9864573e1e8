/** Characters that look alike, in a row of a terminal. */
export interface Run {
  text: string;
  /** Names of what was asked for: `dim`, `red`, `green`, `yellow`, `cyan`. */
  styles: readonly string[];
}

/** What a row of a terminal showed, and when, in milliseconds since the beginning. */
export interface RowState {
  row: number;
  runs: Run[];
  fromMs: number;
  /** Undefined: to the end. */
  toMs?: number;
}

/** What a program wrote to a terminal, and when, in milliseconds since the beginning. */
export interface Written {
  atMs: number;
  text: string;
}

const styleOfCode: Readonly<Record<string, string>> = {
  1: "bold",
  2: "dim",
  31: "red",
  32: "green",
  33: "yellow",
  36: "cyan",
};

/**
 * What the rows of a terminal showed while a program wrote to it: carriage return, line break, clearing to the end of the line, and
 * colours, which is all that the command line uses.
 *
 * @param columns longer lines are broken there
 * @throws Error at an escape sequence that is none of these
 */
export function terminalRows(written: readonly Written[], columns: number): RowState[] {
  const states: RowState[] = [];
  const open = new Map<number, RowState>();
  const rows: { character: string; styles: string[] }[][] = [[]];
  let [row, column] = [0, 0];
  let styles: string[] = [];
  for (const { atMs, text } of written) {
    for (const [token, code] of text.matchAll(/\u001b\[(\d*[A-Za-z])|[^\u001b]|\u001b/gsu)) {
      if (code?.endsWith("m")) styles = styled(styles, code.slice(0, -1));
      else if (code === "K") rows[row]?.splice(column);
      else if (code === "2K") rows[row]?.splice(0);
      else if (token.startsWith("\u001b")) throw new Error(`unknown sequence ${JSON.stringify(token)}`);
      else if (token === "\r") column = 0;
      else if (token === "\n") [row, column] = [row + 1, column];
      else {
        if (column === columns) [row, column] = [row + 1, 0];
        const cells = rows[row] ?? [];
        cells[column++] = { character: token, styles };
        rows[row] = cells;
      }
      rows[row] ??= [];
    }
    for (const [at, cells] of rows.entries()) {
      const runs = runsOf(cells);
      const before = open.get(at);
      if (JSON.stringify(before?.runs ?? []) === JSON.stringify(runs)) continue;
      if (before !== undefined) before.toMs = atMs;
      open.delete(at);
      if (runs.length === 0) continue;
      const state: RowState = { row: at, runs, fromMs: atMs };
      open.set(at, state);
      states.push(state);
    }
  }
  return states;
}

function styled(styles: readonly string[], code: string): string[] {
  if (code === "" || code === "0") return [];
  if (code === "39") return styles.filter((style) => style === "dim" || style === "bold");
  if (code === "22") return styles.filter((style) => style !== "dim" && style !== "bold");
  const style = styleOfCode[code];
  if (style === undefined) throw new Error(`unknown style ${code}`);
  return [...styles, style];
}

function runsOf(cells: readonly { character: string; styles: string[] }[]): Run[] {
  const runs: Run[] = [];
  for (const { character, styles } of cells) {
    const last = runs.at(-1);
    if (last !== undefined && last.styles.join() === styles.join()) last.text += character;
    else runs.push({ text: character, styles });
  }
  return runs;
}
