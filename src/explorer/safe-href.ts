/** An address that a link may lead to: of the web, mail or telephone; undefined for one that runs or says nothing. */
export function safeHref(text: string): string | undefined {
  if (!/^(?:https?:\/\/|mailto:|tel:)/i.test(text) || !URL.canParse(text)) return undefined;
  return text;
}
