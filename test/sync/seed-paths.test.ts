// @module-tag long
import { describe, expect, onTestFinished, test } from "vitest";
import { startDemo } from "../../demo/start-demo.js";
import { matchRequest } from "../../src/contract/request.js";
import { startFrontServer } from "../support/front-server.js";
import { beyondSeed, startSeedPathsServer } from "../support/seed-paths-server.js";
import { syncFolder } from "../support/sync-folder.js";

/** Sorted records without their terms, which are the last key: this upstream has no taxonomies. */
const withoutTerms = (lines: readonly string[] = []): string[] =>
  lines.map((line) => line.replace(/,"taxonomy_terms":\[.*\]\}$/, "}")).sort();

describe.each([
  ["with the documented paging headers", true],
  ["without any paging header", false],
])("an upstream that has the seed's nine paths only, %s", (_, headers) => {
  test("gives every story in every configured language, and says what is derived or missing", async () => {
    const demo = await startDemo();
    onTestFinished(() => demo.close());
    const server = await startSeedPathsServer(demo.url, { headers });
    onTestFinished(() => server.close());
    const { demoSpace } = await import("../../demo/demo-space.js");
    const { languages, parts } = demoSpace();
    const yaml = `source:\n  url: ${server.url}\n  token: demo\n  languages: [default, ${languages.join(", ")}]\nassets: { download: false }\ncontent: { formats: [] }\n`;
    const folder = await syncFolder(yaml);
    const report = await folder.sync();

    expect(report.outcome).toBe("committed");
    const records = await folder.records();
    for (const language of ["default", ...languages]) {
      const part = `stories/published/${language}`;
      expect(records[part]?.toSorted(), part).toEqual(withoutTerms(parts[part]));
    }
    const manifest = await folder.manifest();
    expect(manifest.editions.every(({ index }) => index === "stories")).toBe(true);
    expect(manifest.notIncluded.map(({ part }) => part)).toEqual(expect.arrayContaining(["space", "tags/published"]));
    expect(manifest.parts["links/published"]?.records).toBe(manifest.parts["stories/published/default"]?.records);
    expect((await folder.sync()).outcome).toBe("unchanged");
  });
});

describe("an upstream with exactly the seed's parameters and a running experiment", () => {
  const configured = (url: string) =>
    `source:\n  url: ${url}\n  token: demo\n  languages: [default, de]\nassets: { download: false }\ncontent: { formats: [] }\n`;

  test("gives the variants by their slugs, and everything else that the seed has", async () => {
    const demo = await startDemo();
    onTestFinished(() => demo.close());
    const server = await startSeedPathsServer(demo.url, { headers: true, strict: true });
    onTestFinished(() => server.close());
    const { demoSpace } = await import("../../demo/demo-space.js");
    const { parts } = demoSpace();
    const folder = await syncFolder(configured(server.url));
    const report = await folder.sync();

    expect(report.outcome).toBe("committed");
    const records = await folder.records();
    for (const name of ["published/default", "published/de"]) {
      for (const part of [`stories/${name}`, `variants/${name}`]) {
        expect(records[part]?.toSorted(), part).toEqual(withoutTerms(parts[part]));
      }
    }
    expect(records["variants/published/default"]).toHaveLength(2);
    expect(records.datasources).toEqual(parts.datasources);
    expect(records.experiments).toEqual(parts.experiments);
    expect((await folder.sync()).outcome).toBe("unchanged");
  });
});

describe("variants of experiments where the list of them is refused", () => {
  const published = (url: string) =>
    `source: { url: "${url}", token: demo, languages: [default] }\nassets: { download: false }\ncontent: { formats: [] }\n`;

  test.each([403, 422])(
    "and each by itself too (%s): the part is not included, and that is no failure",
    async (status) => {
      const demo = await startDemo();
      onTestFinished(() => demo.close());
      const front = await startFrontServer(demo.url, ({ path, query }) =>
        query.has("only_variants") || path.startsWith("/v2/cdn/stories/") ? { status, body: {} } : undefined,
      );
      onTestFinished(() => front.close());
      const folder = await syncFolder(published(front.url));
      const report = await folder.sync();
      expect([report.outcome, report.problems.map(({ code }) => code)]).toEqual(["committed", ["PART_NOT_INCLUDED"]]);
      expect((await folder.manifest()).notIncluded).toEqual([
        { part: "variants/published/default", reason: `the upstream answered ${status}` },
      ]);
      expect((await folder.sync()).outcome).toBe("unchanged");
    },
  );

  test("and a slug cannot stand in an address: the variant is asked for by its id", async () => {
    const demo = await startDemo();
    onTestFinished(() => demo.close());
    const { demoSpace } = await import("../../demo/demo-space.js");
    const { parts } = demoSpace();
    const front = await startFrontServer(demo.url, async ({ path, query }) => {
      if (query.has("only_variants")) return { status: 422, body: {} };
      if (path !== "/v2/cdn/experiments") return undefined;
      const answer = await fetch(`${demo.url}${path}?${query}`);
      return {
        body: (await answer.text()).replaceAll(/"variant_slug":"[^"]*"/g, '"variant_slug":"../../v1/space_info"'),
      };
    });
    onTestFinished(() => front.close());
    const folder = await syncFolder(
      published(front.url).replace("source: {", "source: { versions: [published, draft],"),
    );
    expect((await folder.sync()).outcome).toBe("committed");
    const records = await folder.records();
    for (const part of ["variants/published/default", "variants/draft/default"]) {
      expect(records[part]?.toSorted(), part).toEqual(parts[part]?.toSorted());
    }
  });
});

/** What the crawler sends beyond the seed, to a space of the whole interface. */
const parametersBeyondSeed = [
  "datasourceEntries.cv",
  "datasourceEntries.datasource",
  "datasourceEntries.dimension",
  "datasourceEntries.page",
  "datasourceEntries.per_page",
  "datasources.cv",
  "links.cv",
  "links.include_dates",
  "links.page",
  "links.paginated",
  "links.per_page",
  "links.starts_with",
  "links.version",
  "stories.only_variants",
  "stories.with_taxonomy_terms",
  "tags.cv",
  "tags.version",
  "taxonomies.cv",
  "taxonomies.version",
  "taxonomy.cv",
];

describe("a parameter beyond the seed that the upstream answers with 422", () => {
  const everything = (url: string) =>
    `source:
  url: ${url}
  token: demo
  languages: [default, { code: de, fallback: pt-br }]
  include: { startsWith: [home, shops], contentTypes: [page, place] }
assets: { download: false, metadata: true }
queue: { retries: 0 }
content: { formats: [] }
`;

  /** Syncs from the demo space, which refuses the parameter; lists what the crawler sent beyond the seed. */
  async function syncRefusing(refused: string) {
    const demo = await startDemo();
    onTestFinished(() => demo.close());
    const sent = new Set<string>();
    const front = await startFrontServer(demo.url, ({ path, query }) => {
      const name = matchRequest(path, "")?.name;
      const beyond = beyondSeed(`${path}?${query}`).map((parameter) => `${name}.${parameter}`);
      for (const parameter of beyond) sent.add(parameter);
      if (!beyond.includes(refused)) return undefined;
      return { status: 422, body: { error: `Parameter(s) ${refused} not allowed` } };
    });
    onTestFinished(() => front.close());
    const folder = await syncFolder(everything(front.url));
    const report = await folder.sync();
    return { sent, report, records: await folder.records() };
  }

  test("are these, and no others", async () => {
    const { sent, report } = await syncRefusing("none");
    expect(report.outcome).toBe("committed");
    expect([...sent].sort()).toEqual(parametersBeyondSeed);
  });

  let whole: Promise<Record<string, string[]>> | undefined;

  test.each(parametersBeyondSeed)("%s does not end the sync, and costs no story", async (refused) => {
    const { report, records } = await syncRefusing(refused);
    whole ??= syncRefusing("none").then((synced) => synced.records);
    expect(report.outcome).toBe("committed");
    const missing = report.problems.filter(({ code }) => code === "PART_NOT_INCLUDED").map(({ message }) => message);
    for (const [part, lines] of Object.entries(await whole)) {
      if (/^(?:stories|variants)\//.test(part)) expect(withoutTerms(records[part]), part).toEqual(withoutTerms(lines));
      else if (!part.startsWith("links/") && records[part]?.length !== lines.length) {
        // Entries are read for the datasources that are known.
        const named = missing.some((message) => message.startsWith(part) || message.startsWith("datasources "));
        // A space that refuses the list of taxonomies has none; without terms of stories, no list of terms is read.
        const isOfTerms = /^(?:taxonomies|terms)$/.test(part) && /taxonom/.test(refused);
        expect([part, named || isOfTerms]).toEqual([part, true]);
      }
    }
  });
});
