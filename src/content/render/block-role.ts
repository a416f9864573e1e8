import { fieldWords, lastWord } from "./field-name.js";
import { remembered } from "./remembered.js";

export interface BlockRole {
  /** A heading and nothing else: `headline`, `section_header`. */
  isHeading: boolean;
  isIcon: boolean;
  /** A place that links lead to. */
  isAnchor: boolean;
  isForm: boolean;
  /** Arranges other blocks: its numbers are columns and lengths. */
  isLayout: boolean;
  /** One of several numbered blocks: `step`, `process_item`. */
  isStep: boolean;
  isRule: boolean;
  isSpacer: boolean;
  /** Is about a person, whose `title` is a degree or an office. */
  isPerson: boolean;
  /** Leads to a profile elsewhere: `social_link`. */
  isSocial: boolean;
}

const headingWords = /^(?:headline|heading|title|header|subheading|subheadline|subtitle|h[1-6]?)$/;
const formWords = /^(?:form|forms|input|textarea|select|checkbox|radio|dropdown|fieldset|newsletter)$/;
const personWords =
  /^(?:person|member|staff|employee|speaker|author|expert|profile|mitarbeiter|ansprechpartner|persona|personne|persoon|medewerker)$/;
const layoutWords = /^(?:grid|column|columns|col|cols|spacer|container|slider|carousel|swiper)$/;

export const blockRole = remembered((component: string): BlockRole => {
  const words = fieldWords(component);
  const last = lastWord(component);
  return {
    isHeading: headingWords.test(last) && !words.includes("page"),
    isIcon: /^(?:icon|icons|pictogram|glyph)$/.test(last),
    isAnchor: last === "anchor",
    isForm: words.some((word) => formWords.test(word)),
    isLayout: layoutWords.test(last),
    isStep: words.some((word) =>
      /^(?:step|steps|process|phase|stage|instruction|milestone|article|chapter|clause|section|module|lesson|episode)$/.test(
        word,
      ),
    ),
    isSpacer: /^(?:spacer|spacing|space|gap)$/.test(last),
    isPerson: words.some((word) => personWords.test(word)),
    isRule: words.some((word) => /^(?:divider|separator|hr)$/.test(word)),
    isSocial: words.some((word) => /^(?:social|socials|share|follow)$/.test(word)),
  };
});

const formSettings =
  /^(?:recipients?|receivers?|success|errors?|failure|thank|thanks|thankyou|confirmation|redirect|options|choices|validation|default|pattern|accept|autocomplete|honeypot|subject|sender|cc|bcc|tags?)$/;

/** True if a field of a form is no text of the page: who receives it, what it answers, the values of a control. */
export function isFormSetting(field: string): boolean {
  const words = fieldWords(field);
  if (words.some((word) => formSettings.test(word))) return true;
  return /^(?:to|from|value)$/.test(lastWord(field));
}
