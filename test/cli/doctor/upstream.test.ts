import { createServer } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { askUpstream, spaceIdOf } from "../../../src/cli/doctor/ask-upstream.js";
import { checkClock, checkHost, checkSpaceLanguages, checkToken } from "../../../src/cli/doctor/check-upstream.js";
import { sampleConfig } from "../../support/sample-config.js";
import { type PlainAnswer, startScriptedServer } from "../../support/scripted-server.js";

const token = "a-token-that-nobody-sees";

/** Returns the findings for an upstream that answers like this. */
async function found(url: string, source: Partial<typeof sampleConfig.source> = {}, now?: () => number) {
  const queue = { ...sampleConfig.queue, timeoutMs: 10_000 };
  const config = { ...sampleConfig, queue, source: { ...sampleConfig.source, url, token, ...source } };
  const facts = await askUpstream({ config, url, env: {}, ...(now && { now }) });
  const findings = [...checkHost(facts), ...checkToken(facts, config), ...checkClock(facts)];
  expect(JSON.stringify(findings)).not.toContain(token);
  return { codes: findings.map(({ code }) => code), findings, facts };
}

/** A server with one answer for drafts and one for all other requests. */
async function serve(published: PlainAnswer, draft: PlainAnswer = published) {
  const server = await startScriptedServer(({ query, path }) =>
    path.endsWith("/spaces/me")
      ? { body: { space: { id: 4711, name: "Acme" } } }
      : query.get("version") === "draft"
        ? draft
        : published,
  );
  onTestFinished(() => server.close());
  return server;
}

const stories: PlainAnswer = { body: { stories: [], cv: 1 } };
const refused: PlainAnswer = { status: 401, body: { error: "Unauthorized" } };

test("three requests confirm that a public token is sufficient", async () => {
  const server = await serve({ status: 301, headers: { location: "/v2/cdn/stories?cv=1700000000" } }, refused);
  const { codes, facts } = await found(server.url);
  expect(codes).toEqual(["HOST_OK", "TOKEN_OK", "CLOCK_OK"]);
  expect(spaceIdOf(facts)).toBe(4711);
  expect(server.requests).toHaveLength(3);
});

test("notes a token that reads more than needed; reports an error if it reads less", async () => {
  const wide = await serve(stories);
  expect((await found(wide.url)).codes).toContain("TOKEN_READS_DRAFTS");
  expect((await found(wide.url, { versions: ["published", "draft"] })).codes).toContain("TOKEN_OK");
  const narrow = await serve(stories, refused);
  for (const source of [{ versions: ["draft" as const] }, { releases: ["2001"] }]) {
    const { findings } = await found(narrow.url, source);
    expect(findings).toContainEqual(expect.objectContaining({ code: "TOKEN_WITHOUT_DRAFTS", level: "error" }));
  }
});

test("asks once with a refused token and names the region as a possible cause", async () => {
  const server = await serve(refused);
  const { codes, findings } = await found(server.url);
  expect(codes).toEqual(["HOST_OK", "TOKEN_REFUSED", "CLOCK_OK"]);
  expect(findings[1]?.hint).toContain("region");
  expect(server.requests).toHaveLength(1);
});

test("names the region that a redirect leads to, and never sends the token there", async () => {
  const elsewhere = await serve(stories);
  const here = await serve({ status: 301, headers: { location: `${elsewhere.url}/v2/cdn/stories` } });
  const { findings } = await found(here.url);
  expect(findings[0]).toMatchObject({ code: "HOST_ELSEWHERE", hint: expect.stringContaining(elsewhere.url) });
  expect(elsewhere.requests).toHaveLength(0);
  const american = await serve({ status: 302, headers: { location: "https://api-us.storyblok.com/v2/cdn/stories" } });
  expect((await found(american.url)).findings[0]?.hint).toContain("source.region: us");
});

test("distinguishes a host that is not the API from an API that fails", async () => {
  const page = { headers: { "content-type": "text/html" }, body: "<!doctype html><title>Hello</title>" };
  expect((await found((await serve(page)).url)).codes).toContain("HOST_NOT_INTERFACE");
  expect((await found((await serve({ status: 404, body: ["not found"] })).url)).codes).toContain("HOST_NOT_INTERFACE");
  expect((await found((await serve({ status: 503, body: "" })).url)).codes).toContain("HOST_FAILING");
  expect((await found((await serve({ status: 429, body: { error: "x" } })).url)).codes).toContain("HOST_FAILING");
});

test("an unreachable host stops only the checks that need it", async () => {
  const free = await new Promise<number>((resolve) => {
    const server = createServer().listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" ? (address?.port ?? 0) : 0));
    });
  });
  const { codes, findings } = await found(`http://127.0.0.1:${free}`);
  expect(codes).toEqual(["HOST_UNREACHABLE"]);
  expect(findings[0]?.level).toBe("error");
});

test("finds a clock that is off by over a minute, ours or the server's", async () => {
  const server = await serve(stories);
  const day = 86_400_000;
  expect((await found(server.url, {}, () => Date.now() - day)).findings).toContainEqual(
    expect.objectContaining({ code: "CLOCK_SKEWED", what: expect.stringMatching(/86(?:39|40)\d s behind/) }),
  );
  const late = await serve({ ...stories, headers: { date: new Date(Date.now() - 90_000).toUTCString() } });
  expect((await found(late.url)).findings).toContainEqual(
    expect.objectContaining({ code: "CLOCK_SKEWED", what: expect.stringMatching(/(?:89|9[01]) s ahead of/) }),
  );
});

test("adds the age of a cached copy to its date", async () => {
  const headers = { date: new Date(Date.now() - 600_000).toUTCString(), age: "600" };
  expect((await found((await serve({ ...stories, headers })).url)).codes).toContain("CLOCK_OK");
});

test("warns about a token over plain http; notes a server without a clock", () => {
  const served = { status: 200, isJson: true, body: {} };
  const facts = { origin: "http://api.example.com", published: served, draft: { ...served, status: 401 } };
  expect(checkToken(facts, sampleConfig).map(({ code }) => code)).toEqual(["TOKEN_PUBLIC_ADDRESS", "TOKEN_OK"]);
  expect(checkClock(facts)).toMatchObject([{ code: "CLOCK_UNKNOWN" }]);
});

test.each([
  ["has", ["default", "de"], { language_codes: ["de"] }, ["LANGUAGES_OK"]],
  ["lacks", ["de", "germn"], { language_codes: ["de"] }, ["LANGUAGE_UNKNOWN"]],
  ["no longer has", ["de", "fr"], { language_codes: ["de"] }, ["LANGUAGE_GONE"]],
  ["does not list", ["de"], {}, ["LANGUAGES_UNLISTED"]],
  ["lists in an unreadable form", ["de"], { language_codes: "de" }, ["LANGUAGES_UNLISTED"]],
  ["need not list", ["default"], {}, []],
])("reports languages that the space %s", async (_, codes, record, expected) => {
  const server = await startScriptedServer(({ path }) =>
    path.endsWith("/spaces/me") ? { body: { space: { id: 4711, ...record } } } : stories,
  );
  onTestFinished(() => server.close());
  const source = { ...sampleConfig.source, url: server.url, languages: codes.map((code) => ({ code })) };
  const { facts } = await found(server.url, source);
  const findings = checkSpaceLanguages(facts, { source }, ["de", "fr"]);
  expect(findings.map(({ code }) => code)).toEqual(expected);
  if (expected[0] === "LANGUAGE_UNKNOWN") expect(findings[0]?.hint).toBe("Did you mean de?");
  expect(server.requests).toHaveLength(3);
});
