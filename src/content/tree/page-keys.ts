import { inMap } from "../../lib/collections/in-map.js";
import { lowerBound } from "../../lib/collections/lower-bound.js";
import { type NotingReader, shortHash, storyOfKey } from "../../snapshot/reader/noting-reader.js";
import type { Reader } from "../../snapshot/reader/reader.js";
import type { FileNote, LineNote } from "./file-note.js";

/** A page: a story in one edition. */
export interface PageName {
  edition: string;
  uuid: string;
}

type NotedStory = PageName & Pick<LineNote, "keys" | "isThere">;

/** The stories of a file. */
export function storiesIn({ own, keys, lines }: FileNote): NotedStory[] {
  if (lines !== undefined) return lines.notes.map(({ id, ...note }) => ({ edition: lines.edition, uuid: id, ...note }));
  const story = own === undefined ? undefined : storyOfKey(own);
  return story === undefined ? [] : [{ ...story, keys, isThere: true }];
}

/** The pages of a file: Markdown files, or where none are written, stories of JSON files. */
export function pagesIn(note: FileNote, areMarkdown: boolean): NotedStory[] {
  const isOfPages = areMarkdown === (note.lines === undefined);
  return isOfPages ? storiesIn(note).filter(({ isThere }) => isThere) : [];
}

/** 96 bits of a hash: 16 characters. */
const keyBytes = 12;
/** Pages share what they read, such as a menu. */
const mostRemembered = 20_000;

/** The key of each page: the same while its file and all answers that it read are. Packed: there may be a million. */
export class PageKeys {
  readonly #reader: Pick<Reader, "uuids">;
  readonly #answer: NotingReader["answer"];
  readonly #areMarkdown: boolean;
  #areAll = false;
  /** By edition; those of a few pages by edition and uuid. */
  readonly #packed = new Map<string, Buffer>();
  readonly #answers = new Map<string, string>();

  constructor(reader: Pick<Reader, "uuids">, answer: NotingReader["answer"], areMarkdown: boolean) {
    this.#reader = reader;
    this.#answer = answer;
    this.#areMarkdown = areMarkdown;
  }

  /** All pages come, not only those that are rendered: many are packed, in the order of their uuids. */
  expectAll(): void {
    this.#areAll = true;
  }

  /** Notes a file that is in its place. @param isKept false: it was rendered @param outline hash of its outline file */
  add(note: FileNote, isKept: boolean, outline = ""): void {
    // A story of a JSON file is made of its settings and answers alone.
    const file = note.lines?.basis ?? `${note.hash} ${outline}`;
    if (isKept && !this.#areAll) return;
    for (const { edition, uuid, keys } of pagesIn(note, this.#areMarkdown)) {
      const answers = [...keys].sort().map((key) => `${key}\t${this.#answerTo(key)}`);
      const place = this.#place(edition, uuid);
      place.write(shortHash([file, ...answers].join("\n")), 0, keyBytes, "base64url");
      place[keyBytes] = isKept ? 1 : 0;
    }
  }

  /** Undefined for a story without a page. */
  get(edition: string, uuid: string): string | undefined {
    const key = this.#place(edition, uuid).subarray(0, keyBytes);
    return key.every((byte) => byte === 0) ? undefined : key.toString("base64url");
  }

  /** True if a story has a page that was not kept: its key may be another one than before. */
  isDue({ edition, uuid }: PageName, { markdown, json }: { markdown: string | null; json: string | null }): boolean {
    const hasPage = (this.#areMarkdown ? markdown : json) !== null;
    return hasPage && this.#place(edition, uuid)[keyBytes] !== 1;
  }

  /** The key of a page, and a byte that says whether it was kept. */
  #place(edition: string, uuid: string): Buffer {
    if (!this.#areAll) return inMap(this.#packed, `${edition}\n${uuid}`, () => Buffer.alloc(keyBytes + 1));
    const uuids = this.#reader.uuids(edition);
    const packed = inMap(this.#packed, edition, () => Buffer.alloc(uuids.length * (keyBytes + 1)));
    const at = lowerBound(uuids.length, (at) => uuids[at]! >= uuid);
    return packed.subarray(at * (keyBytes + 1), (at + 1) * (keyBytes + 1));
  }

  #answerTo(key: string): string {
    const known = this.#answers.get(key);
    if (known !== undefined) return known;
    const answer = this.#answer(key);
    if (this.#answers.size >= mostRemembered) this.#answers.clear();
    this.#answers.set(key, answer);
    return answer;
  }
}
