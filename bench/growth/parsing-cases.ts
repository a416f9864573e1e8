import { collectBody } from "../../src/lib/http/collect-body.js";
import { splitRecords } from "../../src/lib/json/record-texts.js";
import { anything } from "../../src/lib/shape.js";
import { pageOf, readAnswer } from "../../src/sync/upstream/read-answer.js";
import type { GrowthCase, Work } from "./growth-case.js";
import { hostileTexts } from "./hostile-text.js";

const url = new URL("https://example.com/v2/cdn/stories");
const asked = { url, confidential: false, moves: true };

/** Reads an answer as the upstream does, in pieces of 64 kB; a refusal is an outcome as good as another. */
function answered(text: string): Work {
  const body = Buffer.from(text);
  const head = { status: 200, headers: {}, dateMs: null };
  return () => {
    try {
      const collected = collectBody(url);
      const receive = collected.receive(head);
      for (let at = 0; at < body.length; at += 65_536) void receive(body.subarray(at, at + 65_536));
      const response = { ...head, wireBytes: body.length, pieces: collected.pieces, body: collected.bytes() };
      return readAnswer(
        response,
        asked,
        pageOf("stories", { is: anything.is, usable: (value) => value, misfits: () => [] }),
        0,
      );
    } catch (error) {
      return error;
    }
  };
}

function inStory(content: string): string {
  return `{"stories":[{"uuid":"00000000-0000-4000-8000-000000000000","content":${content}}],"cv":1}`;
}

/** Reading answers: cutting records out, parsing them, proving that their text is canonical. */
export const parsingCases: readonly GrowthCase[] = [
  { name: "parse: an answer of [[[[", size: 1_000_000, prepare: (n) => answered("[".repeat(n)) },
  { name: 'parse: {"a": again and again', size: 1_000_000, prepare: (n) => answered('{"a":'.repeat(n / 5)) },
  {
    name: "parse: nested objects to be written again",
    size: 10_000,
    prepare: (n) => answered(inStory(`${'{"\\u0061":1,"b":'.repeat(n / 10)}1${"}".repeat(n / 10)}`)),
  },
  {
    name: "parse: deep lists behind the records",
    size: 100_000,
    prepare: (n) => answered(`{"stories":[],"x":${"[".repeat(n)}`),
  },
  { name: "parse: one number of many digits", size: 100_000, prepare: (n) => answered(inStory("9".repeat(n))) },
  {
    name: "parse: an exponent of many digits",
    size: 100_000,
    prepare: (n) => answered(inStory(`1.0e${"9".repeat(n)}`)),
  },
  {
    name: "parse: many long numbers",
    size: 100_000,
    prepare: (n) => answered(inStory(`[${"12345678901234567890.10,".repeat(n / 20)}1]`)),
  },
  {
    name: "parse: an object with many keys, each escaped",
    size: 10_000,
    prepare: (n) => answered(inStory(`{${Array.from({ length: n }, (_, i) => `"\\u0061${i}":${i}`).join()}}`)),
  },
  {
    name: "parse: one key again and again",
    size: 100_000,
    prepare: (n) => answered(inStory(`{${'"a":1,'.repeat(n)}"a":1}`)),
  },
  {
    name: "parse: a text of escaped quotes",
    size: 1_000_000,
    prepare: (n) => answered(inStory(`"${'\\"'.repeat(n)}"`)),
  },
  { name: "parse: a text of backslashes", size: 1_000_000, prepare: (n) => answered(inStory(`"${"\\\\".repeat(n)}"`)) },
  {
    name: "parse: blanks between the tokens",
    size: 1_000_000,
    prepare: (n) => answered(inStory(`[1${" ".repeat(n)},2]`)),
  },
  {
    name: "parse: many records",
    size: 10_000,
    prepare: (n) => answered(`{"stories":[${'{"uuid":"x"},'.repeat(n)}1]}`),
  },
  {
    name: "parse: hostile texts",
    size: 200_000,
    prepare: (n) => {
      const body = JSON.stringify({ stories: hostileTexts(n).map((text) => ({ [text]: text })) });
      return () => splitRecords(body, "stories");
    },
  },
];
