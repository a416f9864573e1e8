import { chosenEdition, storedStory } from "../../reader/stored-story.js";
import { isRichText } from "../../resolve/content-shape.js";
import { isObject } from "../../shape.js";
import { shownValue } from "../../story-diff/difference-entries.js";
import { editionOf, languagesOf } from "../edition-choice.js";
import type { ExplorerSpace } from "../explorer-space.js";
import { address, type Page, type PageRequest, storyAddress } from "../page.js";
import { Table } from "../parts.js";
import { cut, languageName, plural } from "../text.js";
import { secondLanguage } from "./story-page.js";

const shownRows = 500;
const shownLanguages = 60;

/** A text field in two languages. */
interface LanguageRow {
  path: string;
  first: string;
  second: string;
}

/** `/stories/<uuid>/languages`: the texts of a story in the default language and another one, side by side. */
export async function makeLanguagesPage(
  { source, store }: ExplorerSpace,
  request: PageRequest,
): Promise<Page | undefined> {
  const view = source.view();
  const { manifest } = view.reader;
  const uuid = request.path[1] ?? "";
  const version = request.query.get("version") ?? "";
  const first = editionOf(manifest, { ...request, query: new URLSearchParams({ version }) });
  const languages = languagesOf(manifest, first);
  const language = secondLanguage(languages, request.query.get("with") ?? "");
  const second = chosenEdition(manifest, { language, version: first.version });
  const [one, other] = [
    await storedStory(store, manifest, first.name, uuid),
    await storedStory(store, manifest, second.name, uuid),
  ];
  if (one === undefined && other === undefined) return undefined;
  const rows = rowsOf(contentOf(one), contentOf(other));
  const same = rows.filter((row) => row.first === row.second).length;
  const record: unknown = JSON.parse(one ?? other ?? "{}");
  const name = isObject(record) && typeof record.name === "string" ? record.name : uuid;
  return {
    title: `${name} in ${language}`,
    section: "stories",
    data: {
      uuid,
      name,
      languages: [first.language, language],
      isThere: [one !== undefined, other !== undefined],
      same,
      rows,
    },
    view: () => (
      <>
        <h1 dir="auto">{name}</h1>
        <p>
          <a href={storyAddress(uuid, { version })}>The story</a> · {plural(rows.length, "text")}, of which {same} are
          the same in both languages.
        </p>
        {other === undefined ? <p class="problem">The story does not exist in {language}.</p> : null}
        <nav aria-label="Languages">
          <ul class="chips">
            {languages
              .filter((code) => code !== first.language)
              .slice(0, shownLanguages)
              .map((code) => (
                <li>
                  {code === language ? (
                    <b aria-current="true">{code}</b>
                  ) : (
                    <a href={address(`stories/${encodeURIComponent(uuid)}/languages`, { with: code, version })}>
                      {code}
                    </a>
                  )}
                </li>
              ))}
          </ul>
        </nav>
        <Table
          caption="Texts side by side"
          head={["Field", languageName(first.language), language, ""]}
          rows={rows.slice(0, shownRows).map((row) => [
            <span dir="auto">{row.path}</span>,
            <div class="text" dir="auto">
              {cut(row.first, 2000)}
            </div>,
            <div class="text" dir="auto">
              {cut(row.second, 2000)}
            </div>,
            row.first === row.second ? "same" : "",
          ])}
        />
        {rows.length > shownRows ? <p class="quiet">and {rows.length - shownRows} more</p> : null}
      </>
    ),
  };
}

function contentOf(line: string | undefined): unknown {
  const record: unknown = line === undefined ? undefined : JSON.parse(line);
  return isObject(record) ? record.content : undefined;
}

/** Texts by their place; blocks are matched by `_uid`, which is the same in every language. */
function rowsOf(first: unknown, second: unknown): LanguageRow[] {
  const [one, other] = [textsOf(first), textsOf(second)];
  const keys = [...new Set([...one.keys(), ...other.keys()])];
  return keys.map((key) => ({
    path: (one.get(key) ?? other.get(key))!.path,
    first: one.get(key)?.text ?? "",
    second: other.get(key)?.text ?? "",
  }));
}

function textsOf(content: unknown): Map<string, { path: string; text: string }> {
  const texts = new Map<string, { path: string; text: string }>();
  visit(content, "", "", 0, texts);
  return texts;
}

const unread: ReadonlySet<string> = new Set([
  "_uid",
  "component",
  "_editable",
  "id",
  "uuid",
  "fieldtype",
  "linktype",
  "filename",
]);

function visit(
  value: unknown,
  key: string,
  path: string,
  level: number,
  texts: Map<string, { path: string; text: string }>,
): void {
  if (level > 100) return;
  if (typeof value === "string") {
    if (value !== "") texts.set(key, { path, text: value });
  } else if (isRichText(value)) texts.set(key, { path, text: shownValue(value) });
  else if (Array.isArray(value)) {
    value.forEach((item, place) => {
      const uid = isObject(item) && typeof item._uid === "string" ? item._uid : String(place);
      const label = isObject(item) && typeof item.component === "string" ? ` ${item.component}` : "";
      visit(item, `${key}/${uid}`, `${path} › ${place + 1}${label}`, level + 1, texts);
    });
  } else if (isObject(value)) {
    for (const [name, inner] of Object.entries(value)) {
      if (!unread.has(name)) visit(inner, `${key}/${name}`, path === "" ? name : `${path} › ${name}`, level + 1, texts);
    }
  }
}
