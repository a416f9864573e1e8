import type { Blok } from "../../contract/records.js";
import { inMap } from "../../lib/collections/in-map.js";
import { type BlockPlan, planBlock } from "./block-plan.js";
import type { RenderContext } from "./render-context.js";
import { plainText, plainWord } from "./setting-value.js";

/** Facts that a list's blocks of one component share. */
interface Siblings {
  /** The field of the first heading. */
  heading: string | undefined;
  /** By field, how many more texts than plain words there are. */
  texts: Map<string, number>;
}

/**
 * Plans the blocks of one list. If one block of a component has a heading, the others get one too, where they can: a line
 * would seem to belong to the heading above it. A plain word in a field is for readers unless the blocks of its component
 * have more plain words than texts there: `rare` below `Very common`.
 */
export function planBlocks(blocks: readonly Blok[], context: RenderContext): BlockPlan[] {
  const plans = blocks.map((block) => takeAhead(block, context) ?? planBlock(block, context));
  if (blocks.length < 2) return plans;
  const known = siblingsOf(blocks, plans);
  return plans.map((plan, index) => {
    const block = blocks[index]!;
    const { heading, texts } = known.get(block.component)!;
    const words = [...plan.fields].flatMap(([name, { reason }]) =>
      reason === plainWord && texts.get(name)! >= 0 ? [name] : [],
    );
    if (words.length === 0 && (heading === undefined || plan.heading !== undefined || plan.parts.length === 0))
      return plan;
    const other = planBlock(block, context, { heading: plan.heading ?? heading, words });
    return words.length > 0 || other.heading !== undefined ? other : plan;
  });
}

function siblingsOf(blocks: readonly Blok[], plans: readonly BlockPlan[]): ReadonlyMap<string, Siblings> {
  const known = new Map<string, Siblings>();
  for (const [index, { heading, fields }] of plans.entries()) {
    const siblings = inMap(known, blocks[index]!.component, (): Siblings => ({ heading, texts: new Map() }));
    siblings.heading ??= heading;
    for (const [name, { reason }] of fields) {
      const change = Number(reason === plainText) - Number(reason === plainWord);
      siblings.texts.set(name, (siblings.texts.get(name) ?? 0) + change);
    }
  }
  return known;
}

const ahead = new WeakMap<Blok, { plan: BlockPlan; context: RenderContext }>();

/** Makes the plans for an outline, and keeps them for the body, which asks with the same context. */
export function planAhead(blocks: readonly Blok[], context: RenderContext): void {
  const plans = planBlocks(blocks, context);
  for (const [index, block] of blocks.entries()) ahead.set(block, { plan: plans[index]!, context });
}

/** The plan of a block for an outline: the body gets the same one. */
export function plannedAhead(block: Blok, context: RenderContext): BlockPlan {
  if (ahead.get(block)?.context !== context) planAhead([block], context);
  return ahead.get(block)!.plan;
}

/** Who gets a plan may change it, so each is given once. */
function takeAhead(block: Blok, context: RenderContext): BlockPlan | undefined {
  const known = ahead.get(block);
  ahead.delete(block);
  return known?.context === context ? known.plan : undefined;
}
