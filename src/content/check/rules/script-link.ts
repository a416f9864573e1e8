import { isObject } from "../../../lib/shape.js";
import { safeAddress } from "../../render/link-address.js";
import { isMultilink } from "../../resolve/content-shape.js";
import type { LocalRule } from "../facts/rule.js";

/** Markdown and HTML leave these addresses out; the JSON keeps them. */
export const scriptLink: LocalRule = {
  code: "SCRIPT_LINK",
  level: "error",
  about: "A link or a picture whose address would run a script (`javascript:`, `vbscript:`, `data:`).",
  hint: "Give the link the address of a page.",
  object(value, report) {
    for (const address of addressesOf(value) ?? none) {
      if (typeof address !== "string" || safeAddress(address) !== "" || address.trim() === "") continue;
      // A data URL of a picture runs nothing.
      if (/^data:image\/(?!svg)/i.test(address.trim())) continue;
      report(address, `A link has the address ${JSON.stringify(address.slice(0, 80))}.`);
      return;
    }
  },
};

const none: readonly unknown[] = [];

function addressesOf(value: Record<string, unknown>): unknown[] | undefined {
  if (isMultilink(value)) return [value.url, value.cached_url];
  if (value.type === "link" && isObject(value.attrs)) return [value.attrs.href];
  if (value.type === "image" && isObject(value.attrs)) return [value.attrs.src];
  return undefined;
}
