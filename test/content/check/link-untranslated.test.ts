import { expect, test } from "vitest";
import { runCheck } from "../../../src/content/check/run-check.js";
import { sampleConfig } from "../../support/sample-config.js";
import { commitSample, story, uuid } from "../../support/sample-snapshot.js";

const [holder, target] = [1, 2];
const link = { link: { linktype: "story", fieldtype: "multilink", id: uuid(target), url: "", cached_url: "post" } };
const relation = { related: [uuid(target)] };
const page = (lang: string, fields: object) =>
  story(holder, { lang, content: { _uid: "a", component: "page", ...fields } });
const post = (lang: string) => story(target, { lang, name: "Post", full_slug: "post" });

const noGerman = "which is not translated to German (de).";
const onlyOthers = "which only other languages have.";

/** Where the post is, which language names it, and the finding. */
test.each([
  ["default", "de", link, "LINK_UNTRANSLATED", "warning", noGerman, `A link leads to "Post" (post), ${noGerman}`],
  ["default", "de", relation, "LINK_UNTRANSLATED", "warning", noGerman, `The value names "Post" (post), ${noGerman}`],
  ["fr", "de", link, "LINK_UNTRANSLATED", "warning", noGerman, undefined],
  ["de", "default", link, "LINK_UNTRANSLATED", "warning", onlyOthers, undefined],
  ["none", "de", link, "LINK_DEAD", "error", "which this edition does not have.", undefined],
  ["none", "de", relation, "RELATION_DANGLING", "info", "which this edition does not have.", undefined],
])("a story in %s that %s names by %o gives %s (%s)", async (at, from, fields, code, level, end, told) => {
  const stories = (lang: string) => [page(lang, lang === from ? fields : {}), ...(lang === at ? [post(lang)] : [])];
  const editions = Object.fromEntries(["default", "de", "fr"].map((lang) => [`published/${lang}`, stories(lang)]));
  const { store } = await commitSample({ editions });
  const { findings } = (await runCheck(store, { config: sampleConfig }))!;
  const lost = findings.filter((finding) => finding.target === uuid(target));
  expect(lost).toMatchObject([{ code, level, story: { uuid: uuid(holder), language: from }, target: uuid(target) }]);
  expect(lost[0]!.message).toMatch(new RegExp(`names story ${uuid(target)}, ${end.replace(/[().]/g, "\\$&")}$`));
  if (told !== undefined) expect(lost[0]!.names?.message).toBe(told);
});
