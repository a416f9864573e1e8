import type { ExperimentRecord, StoryMapping } from "../src/contract/records.js";

/** What an experiment needs to know of a story. */
interface StoryAddress {
  id: number;
  full_slug: string;
}

/**
 * The running experiment: two front pages, of which half of the visitors see each. The control variant maps one story to
 * nothing and the other to itself: both are documented.
 *
 * @param pages Each original with its variant.
 */
export function runningExperiment(
  pages: readonly { original: StoryAddress; variant: StoryAddress }[],
): ExperimentRecord {
  const mapping = (original: StoryAddress, variant: StoryAddress | undefined): StoryMapping => ({
    original_story_id: original.id,
    original_slug: original.full_slug,
    variant_story_id: variant?.id ?? null,
    variant_slug: variant?.full_slug ?? null,
  });
  return {
    id: 7_301,
    name: "front-page-question",
    display_name: "A question on the front page",
    story_ids: pages.map(({ original }) => original.id),
    variants: [
      {
        name: "control",
        display_name: "As it is",
        public_id: "exp_7301_a",
        weight: 50,
        is_control: true,
        story_mappings: pages.map(({ original }, index) => mapping(original, index === 0 ? undefined : original)),
      },
      {
        name: "question",
        display_name: "With a question",
        public_id: "exp_7301_b",
        weight: 50,
        is_control: false,
        story_mappings: pages.map(({ original, variant }) => mapping(original, variant)),
      },
    ],
  };
}
