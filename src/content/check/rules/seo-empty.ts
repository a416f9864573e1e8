import { isObject } from "../../../lib/shape.js";
import type { LocalRule } from "../facts/rule.js";

const plainField = /^(?:seo|meta|og)_?(title|description)$/i;

export const seoEmpty: LocalRule = {
  code: "SEO_EMPTY",
  level: "info",
  about: "A story's title or description for search engines is empty, though its content type has a field for it.",
  hint: "Write one, unless the site's code uses another field instead.",
  field(name, value, report, isTop) {
    if (!isTop) return;
    const plain = plainField.exec(name)?.[1];
    if (plain !== undefined && isEmptyText(value))
      report(plain, `The ${plain.toLowerCase()} for search engines is empty.`);
    if (!isObject(value) || typeof value.plugin !== "string" || !/seo|meta/i.test(value.plugin)) return;
    const missing = ["title", "description"].filter((key) => key in value && isEmptyText(value[key]));
    if (missing.length === 0) return;
    const verb = missing.length > 1 ? "are" : "is";
    report(missing.join(), `The ${missing.join(" and the ")} for search engines ${verb} empty.`);
  },
};

function isEmptyText(value: unknown): boolean {
  return value === null || (typeof value === "string" && value.trim() === "");
}
