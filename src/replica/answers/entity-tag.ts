/**
 * Whether an `If-None-Match` header names a tag, so that 304 is the answer; the weak and the strong spelling are
 * the same here. `*` names none: whether there is an answer at all is not known yet.
 */
export function namesTag(ifNoneMatch: string | undefined, tag: string): boolean {
  const strong = (text: string) => text.trim().replace(/^W\//, "");
  return ifNoneMatch?.split(",").some((text) => strong(text) === strong(tag)) ?? false;
}
