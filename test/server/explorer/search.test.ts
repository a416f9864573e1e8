import { expect, test } from "vitest";
import { prefix } from "../../../src/server/explorer/parts/page.js";
import { exploreSample } from "../../support/explore-sample.js";
import { type SampleContent, story, uuid } from "../../support/sample-snapshot.js";

const article = (id: number, title: string, more: object = {}) =>
  story(id, {
    name: `Article ${id}`,
    full_slug: `journal/a${id}`,
    content: { _uid: "a", component: "article", title, ...more },
  });
const before: SampleContent = {
  editions: { "published/default": [article(1, "An old lamp"), article(2, "A chair", { text: "with a lamp" })] },
  cv: 1_700_000_000,
};
const after: SampleContent = {
  editions: { "published/default": [article(1, "A new lamp"), article(2, "A chair"), story(3, { name: "Lamp" })] },
  cv: 1_700_000_300,
};

const search = (fields: Record<string, string>) => `search?${new URLSearchParams(fields)}`;
const searchJson = (fields: Record<string, string>) => `search.json?${new URLSearchParams(fields)}`;

test("finds a text in names and content of the chosen generation", async () => {
  const { json } = await exploreSample([before, after]);
  const found = async (generation: string) =>
    (await json(searchJson({ q: "LAMP", parameters: "", generation }))).found.map(({ name }: { name: string }) => name);
  expect((await found("2")).sort()).toEqual(["Article 1", "Lamp"]);
  expect(await found("1")).toEqual(["Article 1", "Article 2"]);
  expect((await json(searchJson({ q: "chair", generation: "1" }))).found).toMatchObject([
    { uuid: uuid(2), href: `${prefix}/stories/${uuid(2)}?language=default&version=published&generation=1` },
  ]);
});

test("runs parameters as the replica answers them, and shows the address to send", async () => {
  const { get, json, url, token } = await exploreSample([before, after]);
  const parameters = "content_type=article&filter_query[title][like]=*lamp*&starts_with=journal/";
  const data = await json(searchJson({ parameters }));
  expect(data).toMatchObject({ total: 1, generation: 2, parameters, found: [{ name: "Article 1" }] });
  expect(data.url).toBe(
    "/v2/cdn/stories?content_type=article&filter_query%5Btitle%5D%5Blike%5D=%2Alamp%2A&starts_with=journal%2F&token=<token>".replaceAll(
      "%2A",
      "*",
    ),
  );
  const sent = await fetch(`${url}${data.url.replace("<token>", token)}`);
  const { stories } = (await sent.json()) as { stories: { name: string }[] };
  expect([sent.headers.get("total"), stories.map(({ name }) => name)]).toEqual(["1", ["Article 1"]]);
  const { text } = await get(search({ parameters }));
  expect(text).toContain("token=&lt;token&gt;");
  expect(text).toContain(`href="${prefix}/stories/${uuid(1)}`);
  expect(text).not.toContain(token);
});

test.each([
  ["an unknown operation", "filter_query[title][near]=x", "near"],
  ["no number", "page=x", "page"],
  ["a value that is not UTF-8", "starts_with=%ff", "starts_with: the value is not UTF-8"],
  [
    "too long a pattern",
    `filter_query[title][like]=${"x".repeat(501)}`,
    "a pattern has 501 characters; the limit is 500",
  ],
])("tells in the replica's words what is wrong with %s", async (_, parameters, words) => {
  const { get, json, url, token } = await exploreSample([after]);
  const data = await json(searchJson({ parameters }));
  expect([data.total, data.error]).toEqual([0, expect.stringContaining(words)]);
  const page = await get(search({ parameters }));
  expect([page.status, page.text]).toEqual([422, expect.stringContaining('role="alert"')]);
  const answered = await fetch(`${url}/v2/cdn/stories?${parameters}&version=draft&token=${token}`);
  expect(await answered.json()).toEqual({ error: data.error });
});

test("shows what was typed as text, and answers 404 for a generation that is not kept", async () => {
  const { get } = await exploreSample([after]);
  const hostile = '"><script>ran=1</script>';
  const { status, text } = await get(search({ q: hostile, parameters: `content_type=${hostile}` }));
  expect([status, text.includes("<script>ran")]).toEqual([200, false]);
  expect((await get(search({ q: "x", generation: "77" }))).status).toBe(404);
});

test("drops a token that was pasted with the parameters", async () => {
  const { get, json } = await exploreSample([after]);
  const pasted = "https://api.example.com/v2/cdn/stories?token=secret-token&content_type=article";
  const { status, headers } = await get(search({ parameters: pasted }));
  const location = headers.get("location")!;
  expect([status, location.includes("secret")]).toEqual([302, false]);
  const data = await json(location.replace(`${prefix}/search`, "search.json"));
  expect(data).toMatchObject({ total: 2, url: "/v2/cdn/stories?content_type=article&token=<token>" });
});

test("names the edition that answers for one that the snapshot lacks", async () => {
  const { json } = await exploreSample([after]);
  const { note, total } = await json(searchJson({ parameters: "language=de&version=draft" }));
  expect([total, note]).toEqual([3, "The snapshot has no draft/de: answered from published/default."]);
});
