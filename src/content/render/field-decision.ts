/** How a field of a block is shown. `setting`, `excluded` and `empty` fields are not. */
export type ShownAs =
  | "heading"
  | "prose"
  | "image"
  | "link"
  | "table"
  | "code"
  | "quotation"
  | "blocks"
  | "setting"
  | "excluded"
  | "empty";

/** What decided: the field's name, its value, the other fields of its block, all stories together, or `content.types`. */
type DecidedBy = "name" | "value" | "neighbours" | "space" | "configuration";

export interface FieldDecision {
  use: ShownAs;
  by: DecidedBy;
  /** In words, to follow "because of": `the word align`. */
  reason: string;
}

export function decision(use: ShownAs, by: DecidedBy, reason: string): FieldDecision {
  return { use, by, reason };
}
