import type { ContentModel } from "./content-model.js";
import { addModel, modelOf, newModelDraft } from "./model-draft.js";

/**
 * What all these models know together. Merging is commutative and associative, and the empty model changes nothing. A
 * story in two of the models counts twice.
 */
export function mergeModels(models: Iterable<ContentModel>): ContentModel {
  const draft = newModelDraft();
  for (const model of models) addModel(draft, model);
  return modelOf(draft);
}
