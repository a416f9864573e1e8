import { expect, test } from "vitest";
import { runCheck } from "../../../src/content/check/run-check.js";
import type { StoryRecord } from "../../../src/contract/records.js";
import { sampleConfig } from "../../support/sample-config.js";
import { commitSample, story, uuid } from "../../support/sample-snapshot.js";

const names = [
  "Wolfgang Amadeus Hohenstein",
  "Ludwig van Beethoven",
  "María de los Ángeles Iñárritu",
  "Müller und Söhne KG",
];
const shared = [
  "Restaurant Hotel Information",
  "4711 0815 2024 10115",
  "hero--wide text-center bg-white padding-large",
];
const english = [
  "the harbour lights were lit before",
  "every evening somebody walks along",
  "this small river moves without asking",
];
const german = [
  "die Lichter im Hafen brannten schon",
  "jeden Abend geht jemand langsam entlang",
  "dieser kleine Fluss wandert ohne Frage",
];

/** A number from 0 to 1 that follows from its arguments. */
function chance(n: number, salt: number): number {
  return (Math.imul(n * 31 + salt, 2654435761) >>> 0) / 2 ** 32;
}

/** A page of some paragraphs, of which the share `same` was left in English. */
function page(n: number, language: string, same: number): StoryRecord {
  const paragraphs = 2 + Math.floor(chance(n, 1) * 6);
  const texts = Array.from({ length: paragraphs }, (_, at) => {
    const isEnglish = language === "default" || (at + 0.5) / paragraphs < same;
    const words = (isEnglish ? english : german)[(n + at) % 3]!;
    return { _uid: `${n}-${at}`, component: "text", text: `${words} ${n} ${words} ${at}.` };
  });
  return story(n, {
    uuid: uuid(n),
    lang: language,
    full_slug: language === "default" ? `page-${n}` : `${language}/page-${n}`,
    content: {
      _uid: `root-${n}`,
      component: chance(n, 5) < 0.3 ? "person" : "page",
      // The same in both languages: names, numbers, words that both have, a title that nobody translates.
      author: names[n % names.length]!,
      classes: shared[2]!,
      phone: shared[1]!,
      claim: shared[0]!,
      original_title: `the book of the ${n} lights over the harbour`,
      body: chance(n, 2) < 0.2 ? [] : texts,
    },
  });
}

test("distinguishes untranslated pages from those with names, numbers and shared words", async () => {
  const count = 1_500;
  const shares = Array.from({ length: count }, (_, n) => (chance(n, 3) < 0.15 ? 1 : chance(n, 3) < 0.3 ? 0.5 : 0));
  const { store } = await commitSample({
    editions: {
      "published/default": shares.map((_, n) => page(n, "default", 0)),
      "published/de": shares.map((same, n) => page(n, "de", same)),
    },
    shardBytes: 512 * 1024,
  });
  const { findings } = (await runCheck(store, { config: sampleConfig }))!;
  const told = new Set(findings.filter(({ code }) => code === "UNTRANSLATED").map(({ story: one }) => one!.uuid));
  // A page without a paragraph has nothing to translate.
  const hasText = (n: number) => chance(n, 2) >= 0.2;
  const wanted = new Set(shares.flatMap((same, n) => (same === 1 && hasText(n) ? [uuid(n)] : [])));
  const right = [...told].filter((one) => wanted.has(one)).length;
  expect(wanted.size).toBeGreaterThan(100);
  expect({ precision: right / told.size, recall: right / wanted.size }).toEqual({ precision: 1, recall: 1 });
  const half = findings.filter(({ code }) => code === "HALF_TRANSLATED").map(({ story: one }) => one!.uuid);
  expect(half.length).toBeGreaterThan(50);
  expect(half.filter((one) => wanted.has(one))).toEqual([]);
});

test("reports an untranslated page in its language, with its address there", async () => {
  const { store } = await commitSample({
    editions: { "published/default": [page(7, "default", 0)], "published/de": [page(7, "de", 1)] },
  });
  const { findings } = (await runCheck(store, { config: sampleConfig }))!;
  expect(findings).toMatchObject([
    { code: "UNTRANSLATED", level: "warning", field: null, story: { language: "de", url: "/de/page-7" } },
  ]);
});
