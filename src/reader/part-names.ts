/** The names that {@link Reader.shards} and {@link Reader.edition} take; layout spells them, readers ask here. */
export { editionName, parts } from "../snapshot/layout.js";
