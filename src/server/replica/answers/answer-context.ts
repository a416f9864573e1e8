import type { LinkSettings } from "../../../content/resolve/link-pattern.js";
import { inMap } from "../../../lib/collections/in-map.js";
import type { GenerationView } from "../generation-view.js";
import {
  type ChosenEdition,
  chooseEdition,
  chooseVersion,
  type EditionRequest,
  editionHeader,
} from "./choose-edition.js";
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

export function editionOf(context: AnswerContext, request: EditionRequest): ChosenEdition | undefined {
  return noticed(context, chooseEdition(context.view.reader, request, context.strict));
}

export function versionOf(
  context: AnswerContext,
  { version }: { version?: "published" | "draft" | undefined },
): ChosenEdition | undefined {
  return noticed(context, chooseVersion(context.view.reader, version, context.strict));
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
