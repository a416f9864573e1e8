/**
 * Whether an `If-None-Match` header names a tag, so that 304 is the answer. The weak and the strong spelling are the
 * same here. `*` names none: an answer may be an error, which only the caller knows.
 */
export function namesTag(ifNoneMatch: string | undefined, tag: string): boolean {
  const strong = (text: string) => text.trim().replace(/^W\//, "");
  return ifNoneMatch?.split(",").some((text) => strong(text) === strong(tag)) ?? false;
}

/** Whether an `If-Match` header permits an answer with a strong tag (RFC 9110, section 13.1.1): `*` permits any. */
export function listsTag(ifMatch: string, tag: string): boolean {
  return ifMatch.trim() === "*" || ifMatch.split(",").some((text) => text.trim() === tag);
}
