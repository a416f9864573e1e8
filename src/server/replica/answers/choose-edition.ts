import type { LinkSettings } from "../../../content/resolve/link-pattern.js";
import type { StoryQuery } from "../../../contract/endpoints.js";
import { inMap } from "../../../lib/collections/in-map.js";
import { editionName } from "../../../snapshot/layout.js";
import type { Reader } from "../../../snapshot/reader/reader.js";
import type { GenerationView } from "../generation-view.js";
import type { Dialect } from "./resolve-references.js";

export interface AnswerContext {
  view: GenerationView;
  dialect: Dialect;
  /** Whether a missing edition gives 404 instead of the nearest edition. */
  strict: boolean;
  onStandIn: StandInNotice;
  /** How stories become URLs, for the cache tags of answers; undefined: answers have none. */
  links?: LinkSettings | undefined;
}

export interface ChosenEdition {
  name: string;
  version: "published" | "draft";
  language: string;
  /** The requested edition. Differs from `name` if the snapshot lacks it and `name` substitutes. */
  asked: string;
}

export const editionHeader = "X-Offprint-Edition";

/** Else the nearest: without the release, then published for draft, then the default language; never drafts for published. */
export function chooseEdition(
  context: AnswerContext,
  { version = "published", language = "default", from_release: release }: StoryQuery,
): ChosenEdition | undefined {
  const versions = version === "draft" ? (["draft", "published"] as const) : (["published"] as const);
  const releases = release === undefined ? [null] : [release, null];
  const languages = language === "default" ? ["default"] : [language, "default"];
  const asked = editionName(version, release ?? null, language);
  const candidates = languages.flatMap((language) =>
    versions.flatMap((version) =>
      releases.map((release) => ({ name: editionName(version, release, language), version, language, asked })),
    ),
  );
  const { view, strict } = context;
  const found = candidates.find(({ name }) => view.reader.edition(name) !== undefined && (!strict || name === asked));
  return noticed(context, found);
}

/** For links and tags, which have no language. `published` substitutes for missing drafts. */
export function chooseVersion(
  context: AnswerContext,
  { version: asked = "published" }: Pick<StoryQuery, "version">,
): ChosenEdition | undefined {
  const { editions } = context.view.reader.manifest;
  const has = asked === "published" || editions.some((edition) => edition.version === "draft");
  if (!has && context.strict) return undefined;
  const version = has ? asked : "published";
  return noticed(context, { name: `${version}/default`, version, language: "default", asked: `${asked}/default` });
}

export function editionHeaders({ name, asked }: ChosenEdition): Record<string, string> {
  return name === asked ? {} : { [editionHeader]: name };
}

function noticed({ view, onStandIn }: AnswerContext, edition: ChosenEdition | undefined): ChosenEdition | undefined {
  if (edition !== undefined && edition.name !== edition.asked) onStandIn(view, edition.asked, edition.name);
  return edition;
}

/** Called when the nearest edition answers for one that the generation lacks. */
export type StandInNotice = (view: GenerationView, asked: string, answered: string) => void;

/** Names remembered per generation: they come from requests, so they need a limit. */
const rememberedNames = 1000;

export function createStandInNotice(onStandIn: ((asked: string, answered: string) => void) | undefined): StandInNotice {
  const noticed = new WeakMap<GenerationView, Set<string>>();
  return (view, asked, answered) => {
    const known = inMap(noticed, view, () => new Set());
    if (known.has(asked) || known.size >= rememberedNames) return;
    known.add(asked);
    onStandIn?.(asked, answered);
  };
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
