import { defineCollection } from "astro:content";
import { offprintDatasource, offprintLoader } from "offprint/astro";

export const collections = {
  // Every story in every language, with its relations one level deep and its rich text as HTML.
  pages: defineCollection({ loader: offprintLoader({ depth: 1, richText: "html" }) }),
  labels: defineCollection({ loader: offprintDatasource("labels") }),
  bindings: defineCollection({ loader: offprintDatasource("bindings") }),
};
