import { fieldWords, lastWord } from "./field-name.js";
import { remembered } from "./remembered.js";

const headingWords = /^(?:headline|heading|title|header|subheading|subheadline|subtitle|h[1-6]?)$/;

/** Words of a component's name of which the last decides. */
const lastWords = {
  isIcon: /^(?:icon|icons|pictogram|glyph)$/,
  /** A place that links lead to. */
  isAnchor: /^anchor$/,
  /** Arranges other blocks: its numbers are columns and lengths. */
  isLayout: /^(?:grid|column|columns|col|cols|spacer|container|slider|carousel|swiper)$/,
  isSpacer: /^(?:spacer|spacing|space|gap)$/,
};

/** Words of a component's name of which any decides. */
const anyWords = {
  isForm: /^(?:form|forms|input|textarea|select|checkbox|radio|dropdown|fieldset|newsletter)$/,
  /** One of several numbered blocks: `step`, `process_item`. */
  isStep:
    /^(?:step|steps|process|phase|stage|instruction|milestone|article|chapter|clause|section|module|lesson|episode)$/,
  isRule: /^(?:divider|separator|hr)$/,
  /** Is about a person, whose `title` is a degree or an office. */
  isPerson:
    /^(?:person|member|staff|employee|speaker|author|expert|profile|mitarbeiter|ansprechpartner|persona|personne|persoon|medewerker)$/,
  /** Leads to a profile elsewhere: `social_link`. */
  isSocial: /^(?:social|socials|share|follow)$/,
};

type BlockRole = Record<"isHeading" | keyof typeof lastWords | keyof typeof anyWords, boolean>;

export const blockRole = remembered((component: string): BlockRole => {
  const words = fieldWords(component);
  const last = lastWord(component);
  /** A heading and nothing else: `headline`, `section_header`. */
  const isHeading = headingWords.test(last) && !words.includes("page");
  const byLast = Object.entries(lastWords).map(([role, pattern]) => [role, pattern.test(last)]);
  const byAny = Object.entries(anyWords).map(([role, pattern]) => [role, words.some((word) => pattern.test(word))]);
  return { isHeading, ...Object.fromEntries([...byLast, ...byAny]) } as BlockRole;
});

const formSettings =
  /^(?:recipients?|receivers?|success|errors?|failure|thank|thanks|thankyou|confirmation|redirect|options|choices|validation|default|pattern|accept|autocomplete|honeypot|subject|sender|cc|bcc|tags?)$/;

/** True if a field of a form is no text of the page: who receives it, what it answers, the values of a control. */
export function isFormSetting(field: string): boolean {
  const words = fieldWords(field);
  if (words.some((word) => formSettings.test(word))) return true;
  return /^(?:to|from|value)$/.test(lastWord(field));
}
