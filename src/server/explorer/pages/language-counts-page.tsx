import type { Child } from "hono/jsx";
import { languageName } from "../../../lib/language-name.js";
import { grouped } from "../../../lib/quantity-text.js";
import { comparedVersion, type LanguageCounts, languageCounts } from "../data/language-states.js";
import { Pager, Table } from "../parts/lists.js";
import { address, languagesIn, page } from "../parts/page.js";

const perPage = 20;
/** Longest wait for the counts, in milliseconds. */
const waitMs = 400;

/** `/languages`: the stories of each language by state. */
export const languageCountsPage = page({
  path: "languages",
  section: "stories",
  async load({ view, manifest, page }) {
    const codes = languagesIn(manifest.editions);
    const asked = codes.slice((page - 1) * perPage, page * perPage);
    const languages = await languageCounts(view, asked, waitMs);
    const isComplete = languages.length === asked.length;
    const paged = { total: codes.length, page, perPage };
    const data = { generation: manifest.generation, isComplete, ...paged, languages };
    const version = comparedVersion(manifest);
    return { title: "Languages", data, paged, version, ...(isComplete ? {} : { againSeconds: 1 }) };
  },
  view: ({ data: { languages }, paged, version }) => (
    <>
      <h1>Languages</h1>
      <Table
        caption="Stories of each language"
        head={["Language", "Published", "Only draft", "Changed since published", "Missing", "Same text as default"]}
        rows={languages.map((counts) => rowOf(counts, version))}
      />
      <Pager {...paged} href={(to) => address("languages", { page: to })} />
    </>
  ),
});

function rowOf({ language, published, ...counts }: LanguageCounts, version: string): Child[] {
  const own = language === "default" ? "" : language;
  const cell = (count: number | null, parameters: Readonly<Record<string, string>>): Child =>
    count === null ? "–" : <a href={address("stories", parameters)}>{grouped(count)}</a>;
  return [
    <span dir="auto">{languageName(language)}</span>,
    cell(published, { language: own, version: "published" }),
    ...(["draft", "changed"] as const).map((state) => cell(counts[state], { language: own, version: "draft", state })),
    ...(["missing", "same"] as const).map((state) => cell(counts[state], { version, lacks: language, state })),
  ];
}
