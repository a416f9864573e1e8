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
export type DecidedBy = "name" | "value" | "neighbours" | "space" | "configuration";

export interface FieldDecision {
  use: ShownAs;
  by: DecidedBy;
  reason: string;
}

/** Decisions are shared: a space has few of them and many fields. */
const known = new Map<string, FieldDecision>();

export function decision(use: ShownAs, by: DecidedBy, reason: string): FieldDecision {
  const key = `${use}\n${by}\n${reason}`;
  const found = known.get(key);
  if (found !== undefined) return found;
  const made: FieldDecision = Object.freeze({ use, by, reason });
  if (known.size > 1_000) known.clear();
  known.set(key, made);
  return made;
}
