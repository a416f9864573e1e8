import type { StoryQuery } from "../../../contract/endpoints.js";
import { editionName } from "../../../snapshot/layout.js";
import type { Reader } from "../../../snapshot/reader/reader.js";

export type EditionRequest = Pick<StoryQuery, "version" | "from_release" | "language">;

export interface ChosenEdition {
  name: string;
  version: "published" | "draft";
  language: string;
  /** The requested edition. Differs from `name` if the snapshot lacks it and `name` substitutes. */
  asked: string;
}

export const editionHeader = "X-Offprint-Edition";

/** Else the nearest: without the release, then published for draft, then the default language; never drafts for published. */
export function chooseEdition(reader: Reader, request: EditionRequest, strict: boolean): ChosenEdition | undefined {
  const version = request.version ?? "published";
  const language = request.language ?? "default";
  const release = request.from_release ?? null;
  const versions = version === "draft" ? (["draft", "published"] as const) : (["published"] as const);
  const releases = release === null ? [null] : [release, null];
  const languages = language === "default" ? ["default"] : [language, "default"];
  const asked = editionName(version, release, language);
  const candidates = languages.flatMap((language) =>
    versions.flatMap((version) =>
      releases.map((release) => ({ name: editionName(version, release, language), version, language, asked })),
    ),
  );
  return candidates.find(({ name }) => reader.edition(name) !== undefined && (!strict || name === asked));
}

/** For links and tags, which have no language. `published` substitutes for missing drafts. */
export function chooseVersion(
  reader: Reader,
  version: "published" | "draft" | undefined,
  strict: boolean,
): ChosenEdition | undefined {
  const asked = version ?? "published";
  const has = asked === "published" || reader.manifest.editions.some((edition) => edition.version === "draft");
  if (!has && strict) return undefined;
  const answered = has ? asked : "published";
  return { name: `${answered}/default`, version: answered, language: "default", asked: `${asked}/default` };
}

export const approximatedHeader = "X-Offprint-Approximated";

/**
 * The content of an answer's stories. `approximated`: another `fallback_lang` than at reading; a field equal to the one
 * in `base` takes that of `taken`. `ignored`: the snapshot lacks one of these. `defaultContent`:
 * `excluding_fields=component` asks for the default language, held by `taken`; `lacksDefault`: the snapshot lacks it.
 */
export type Fallback =
  | { kind: "asRead" | "ignored" | "lacksDefault" }
  | { kind: "approximated"; base: string; taken: string }
  | { kind: "defaultContent"; taken: string };

/** Without `component` the platform cannot translate (docs/interface-reference.md, section 4.1). */
export function chooseFallback(
  reader: Reader,
  { name, asked, language, version }: ChosenEdition,
  { fallback_lang: wanted, excluding_fields: excluded }: StoryQuery,
): Fallback {
  const isUntranslated = language !== "default" && excluded?.includes("component") === true;
  if (wanted === undefined && !isUntranslated) return { kind: "asRead" };
  const edition = reader.edition(name);
  const inLanguage = (code: string): string | undefined =>
    reader.manifest.editions.find(
      (other) =>
        other.version === version &&
        other.release === (edition?.release ?? null) &&
        underscored(other.language) === underscored(code),
    )?.name;
  if (isUntranslated || wanted === undefined) {
    const taken = inLanguage("default");
    return taken === undefined ? { kind: "lacksDefault" } : { kind: "defaultContent", taken };
  }
  const readWith = edition?.fallback ?? "default";
  if (language !== "default" && underscored(wanted) === readWith) return { kind: "asRead" };
  const [base, taken] = [inLanguage(readWith), inLanguage(wanted)];
  if (base === undefined || taken === undefined) return { kind: "ignored" };
  if (language === "default") return { kind: asked.endsWith("/default") ? "asRead" : "ignored" };
  return taken === name ? { kind: "ignored" } : { kind: "approximated", base, taken };
}

function underscored(language: string): string {
  return language.replaceAll("-", "_");
}
