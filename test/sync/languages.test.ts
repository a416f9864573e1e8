import { expect, onTestFinished, test } from "vitest";
import { startFrontServer } from "../support/front-server.js";
import { crawlYaml, syncFolder } from "../support/sync-folder.js";
import { startTinySpace, type TinySpace } from "../support/tiny-space.js";

const languages = (...codes: string[]) => `  languages: [${codes.join(", ")}]\n`;

/** The space behind a front that answers `spaces/me` in its own way, and notes the paths of all requests. */
async function behindFront(space: TinySpace, me: () => object | undefined) {
  const paths: string[] = [];
  const front = await startFrontServer(space.url, ({ path }) => {
    paths.push(path);
    if (path !== "/v2/cdn/spaces/me") return undefined;
    const answer = me();
    const whole = { id: 9, name: "Tiny", domain: space.url, version: space.cv, ...answer };
    return answer === undefined ? { status: 404, body: {} } : { body: { space: whole } };
  });
  onTestFinished(() => front.close());
  return { url: front.url, paths };
}

test.each([
  ["germn", "Did you mean de?"],
  ["german", "Did you mean de?"],
  ["Deutsch", "Did you mean de?"],
  ["DE", "Did you mean de?"],
  ["pt_br", "Did you mean pt-br?"],
  ["sw", "source.languages may name: default, de, pt-br."],
  ["{ code: de, fallback: portuges }", "Did you mean pt-br?"],
])("refuses a language that the space does not have (%s) before it reads a story", async (written, hint) => {
  const space = await startTinySpace({ languages: ["de", "pt-br"] });
  const { url, paths } = await behindFront(space, () => ({ language_codes: ["de", "pt-br"] }));
  const folder = await syncFolder(crawlYaml(url, languages("default", written)));
  await expect(folder.sync()).rejects.toMatchObject({ code: "LANGUAGE_UNKNOWN", exitCode: 2, hint });
  expect(await folder.manifest()).toBeUndefined();
  expect(paths).toEqual(["/v2/cdn/stories", "/v2/cdn/spaces/me"]);
});

test("reports every language that the space does not have", async () => {
  const space = await startTinySpace({ languages: ["de"] });
  const folder = await syncFolder(crawlYaml(space.url, languages("germn", "de", "zz")));
  await expect(folder.sync()).rejects.toMatchObject({
    code: "LANGUAGE_UNKNOWN",
    problems: [{ hint: "Did you mean de?" }, { hint: "source.languages may name: default, de." }],
  });
});

test("takes languages of the space, and a fallback in either spelling", async () => {
  const space = await startTinySpace({ languages: ["de", "de-at", "pt-br"] });
  const codes = ["default", "pt-br", "{ code: de, fallback: pt_br }", "{ code: de-at, fallback: default }"];
  const folder = await syncFolder(crawlYaml(space.url, languages(...codes)));
  const { outcome, problems } = await folder.sync();
  expect([outcome, problems.map(({ code }) => code)]).toEqual(["committed", ["ASSET_LEFT"]]);
});

test("keeps the generation if a mistyped language replaces a real one", async () => {
  const space = await startTinySpace({ languages: ["de"] });
  const folder = await syncFolder(crawlYaml(space.url, languages("default", "de")));
  await folder.sync();
  await folder.configure(crawlYaml(space.url, languages("germn")));
  await expect(folder.sync()).rejects.toMatchObject({ code: "LANGUAGE_UNKNOWN" });
  await expect(folder.sync({ dryRun: true })).rejects.toMatchObject({ code: "LANGUAGE_UNKNOWN" });
  expect((await folder.manifest()).generation).toBe(1);
  await folder.configure(crawlYaml(space.url, languages("default", "de")));
  expect(await folder.sync()).toMatchObject({ outcome: "unchanged", requests: { total: 1 } });
});

test("stops with code 6 if the space no longer lists a configured language", async () => {
  const space = await startTinySpace({ languages: ["de"] });
  const folder = await syncFolder(crawlYaml(space.url, languages("default", "de")));
  await folder.sync();
  Object.assign(space, { languages: [], cv: space.cv + 10 });
  for (const forceRemove of [false, true]) {
    await expect(folder.sync({ forceRemove })).rejects.toMatchObject({
      code: "REMOVAL_BRAKE",
      exitCode: 6,
      hint: expect.stringContaining("remove it from source.languages"),
    });
  }
  await folder.configure(crawlYaml(space.url, languages("default")));
  expect(await folder.sync()).toMatchObject({ outcome: "committed" });
});

test.each([
  ["does not list its languages", () => ({})],
  ["has no such answer", () => undefined],
  ["lists what is no text", () => ({ language_codes: ["de", 7] })],
])("warns that nothing shows a mistyped language where the upstream %s", async (_, me) => {
  const space = await startTinySpace({ languages: ["de"] });
  const { url } = await behindFront(space, me);
  const folder = await syncFolder(crawlYaml(url, languages("default", "germn")));
  const report = await folder.sync();
  expect(report.outcome).toBe("committed");
  expect(report.problems).toContainEqual(
    expect.objectContaining({ code: "LANGUAGES_UNKNOWN", message: expect.stringContaining('"germn"') }),
  );
  expect((await folder.sync()).requests.total).toBe(1);
});

test("requests the languages even if the space itself is not included", async () => {
  const space = await startTinySpace({ languages: ["de"] });
  const yaml = (...codes: string[]) => crawlYaml(space.url, `${languages(...codes)}  include: { space: false }\n`);
  const folder = await syncFolder(yaml("default", "de"));
  await folder.sync();
  expect(Object.keys((await folder.manifest()).parts)).not.toContain("space");
  await folder.configure(yaml("default", "de", "germn"));
  await expect(folder.sync()).rejects.toMatchObject({ code: "LANGUAGE_UNKNOWN" });
});
