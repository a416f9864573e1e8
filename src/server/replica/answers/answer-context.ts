import type { GenerationView } from "../generation-view.js";
import {
  type ChosenEdition,
  chooseEdition,
  chooseVersion,
  type EditionRequest,
  editionHeader,
} from "./choose-edition.js";
import type { Dialect } from "./resolve-references.js";

/** What every answer depends on beside its request. */
export interface AnswerContext {
  view: GenerationView;
  dialect: Dialect;
  /** Whether an edition that the snapshot lacks is not found, instead of being answered from the nearest one. */
  strict: boolean;
  onStandIn: StandInNotice;
}

/** The edition that answers a request for stories; undefined: there is none. */
export function editionOf(context: AnswerContext, request: EditionRequest): ChosenEdition | undefined {
  return noticed(context, chooseEdition(context.view.reader, request, context.strict));
}

/** The version that answers a request for links or tags; undefined: there is none. */
export function versionOf(
  context: AnswerContext,
  { version }: { version?: "published" | "draft" | undefined },
): ChosenEdition | undefined {
  return noticed(context, chooseVersion(context.view.reader, version, context.strict));
}

/** The header that names an edition which stands in for another one; none otherwise. */
export function editionHeaders({ name, asked }: ChosenEdition): Record<string, string> {
  return name === asked ? {} : { [editionHeader]: name };
}

function noticed({ view, onStandIn }: AnswerContext, edition: ChosenEdition | undefined): ChosenEdition | undefined {
  if (edition !== undefined && edition.name !== edition.asked) onStandIn(view, edition.asked, edition.name);
  return edition;
}

/** Called whenever a request asks for an edition that the generation lacks, and another one answers it (stands in). */
export type StandInNotice = (view: GenerationView, asked: string, answered: string) => void;

/** Number of names that are remembered of one generation: they come from requests, and there is no end of them. */
const rememberedNames = 1000;

/** Returns a function that calls `onStandIn` once for each generation and edition that was asked for. */
export function createStandInNotice(onStandIn: ((asked: string, answered: string) => void) | undefined): StandInNotice {
  const noticed = new WeakMap<GenerationView, Set<string>>();
  return (view, asked, answered) => {
    const known = noticed.get(view) ?? new Set();
    noticed.set(view, known);
    if (known.has(asked) || known.size >= rememberedNames) return;
    known.add(asked);
    onStandIn?.(asked, answered);
  };
}
