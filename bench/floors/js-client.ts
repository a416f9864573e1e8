import { writeFileSync } from "node:fs";
import { join } from "node:path";
import StoryblokClient from "storyblok-js-client";

// What a user would write instead: the vendor's client reads all stories, one file each.
const [url = "", dir = ""] = process.argv.slice(2);
const client = new StoryblokClient({
  accessToken: "bench-token-0123456789",
  endpoint: `${url}/v2`,
  rateLimit: 1_000,
});
const stories = (await client.getAll("cdn/stories", { version: "published", per_page: 100 })) as { uuid: string }[];
for (const story of stories) writeFileSync(join(dir, `${story.uuid}.json`), JSON.stringify(story));
process.stdout.write(String(stories.length));
