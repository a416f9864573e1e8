import { defineCollection } from "astro:content";
import { offprintLoader } from "offprint/astro";

// Every story in every language. sync.config.yaml says how deep relations go, and that rich text is HTML.
export const collections = { pages: defineCollection({ loader: offprintLoader() }) };
