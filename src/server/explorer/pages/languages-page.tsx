import { shownValue } from "../../../content/diff/difference-entries.js";
import { isRichText } from "../../../content/resolve/content-shape.js";
import { languageName } from "../../../lib/language-name.js";
import { plural } from "../../../lib/quantity-text.js";
import { isObject } from "../../../lib/shape.js";
import { chosenEdition, storedStory } from "../../../snapshot/reader/stored-story.js";
import { contentLeaves } from "../data/find-mentions.js";
import { Choices, Table, textBox } from "../parts/lists.js";
import { cut, editionOf, languagesAddress, languagesOf, page, storyAddress } from "../parts/page.js";
import { secondLanguage } from "./story-page.js";

const shownRows = 500;
const shownCharacters = 2000;
const shownLanguages = 60;

/** `/stories/<uuid>/languages`: a story's texts in two languages, side by side. */
export const languagesPage = page({
  path: "stories/*/languages",
  async load({ space: { store }, manifest, id: uuid, text }) {
    const version = text("version");
    const first = editionOf(manifest, new URLSearchParams({ version }));
    const languages = languagesOf(manifest, first);
    const language = secondLanguage(languages, text("with"));
    const second = chosenEdition(manifest, { language, version: first.version });
    const one = await storedStory(store, manifest, first.name, uuid);
    const other = await storedStory(store, manifest, second.name, uuid);
    if (one === undefined && other === undefined) return undefined;
    const rows = rowsOf(contentOf(one), contentOf(other));
    const same = rows.filter((row) => row.first === row.second).length;
    const record: unknown = JSON.parse(one ?? other ?? "{}");
    const name = isObject(record) && typeof record.name === "string" ? record.name : uuid;
    const isThere = [one !== undefined, other !== undefined];
    const data = { uuid, name, languages: [first.language, language], isThere, same, rows };
    const offered = languages.filter((code) => code !== first.language).slice(0, shownLanguages);
    return { title: `${name} in ${language}`, data, version, first: first.language, language, offered };
  },
  view: ({ data: { uuid, name, isThere, same, rows }, version, first, language, offered }) => (
    <>
      <h1 dir="auto">{name}</h1>
      <p>
        <a href={storyAddress(uuid, { version })}>The story</a> · {plural(rows.length, "text")}, of which {same} are the
        same in both languages.
      </p>
      {isThere[1] ? null : <p class="problem">The story does not exist in {languageName(language)}.</p>}
      <Choices
        label="Languages"
        choices={offered.map((code) => [
          languageName(code),
          code === language,
          languagesAddress(uuid, { with: code, version }),
        ])}
      />
      <Table
        caption="Texts side by side"
        head={["Field", languageName(first), languageName(language), ""]}
        rows={rows
          .slice(0, shownRows)
          .map((row) => [
            <span dir="auto">{row.path}</span>,
            textBox(cut(row.first, shownCharacters)),
            textBox(cut(row.second, shownCharacters)),
            row.first === row.second ? "same" : "",
          ])}
      />
      {rows.length > shownRows ? <p class="quiet">and {rows.length - shownRows} more</p> : null}
    </>
  ),
});

function contentOf(line: string | undefined): unknown {
  const record: unknown = line === undefined ? undefined : JSON.parse(line);
  return isObject(record) ? record.content : undefined;
}

/** Matches blocks by `_uid`, which is the same in every language. */
function rowsOf(first: unknown, second: unknown) {
  const [one, other] = [textsIn(first), textsIn(second)];
  const keys = [...new Set([...one.keys(), ...other.keys()])];
  return keys.map((key) => ({
    path: (one.get(key) ?? other.get(key))!.path,
    first: one.get(key)?.text ?? "",
    second: other.get(key)?.text ?? "",
  }));
}

const unread = new Set(["_uid", "component", "_editable", "id", "uuid", "fieldtype", "linktype", "filename"]);

function textsIn(content: unknown): Map<string, { path: string; text: string }> {
  const texts = new Map<string, { path: string; text: string }>();
  for (const { value, key, path, place } of contentLeaves(content, isRichText)) {
    const isText = isRichText(value) || (typeof value === "string" && value !== "");
    if (isText && !unread.has(key)) texts.set(place, { path, text: shownValue(value) });
  }
  return texts;
}
