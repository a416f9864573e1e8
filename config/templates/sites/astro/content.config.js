import { defineCollection } from "astro:content";
import { offprintLoader } from "offprint/astro";

// The stories of the default language, as `offprint sync` read them: relations, links and images are resolved.
const stories = defineCollection({ loader: offprintLoader({ languages: ["default"] }) });

export const collections = { stories };
