import { view } from "../assets/pictures.js";
import type { Content } from "../compile/compile-content.js";
import { blok, type DemoStory, languagesWith, type Slugs } from "../demo-story.js";
import { asset, numeral, seo, stories } from "../fields.js";
import { numberOf } from "../identifiers.js";
import { translated } from "../translated.js";

/** An article of the journal, whether it was written as such or made of templates. */
export interface Article extends Omit<Content["journal-features"][number], "draft" | "slugs"> {
  kind: "letter" | "interview" | "field-note" | "feature";
  slugs?: Slugs | undefined;
  draft?: DemoStory["draft"];
}

/** The page of an article. It is translated into the languages that it has a slug in. */
export function articleStory(article: Article, index: number): DemoStory {
  const { title, date, kind, teaser, slugs } = article;
  const path = `journal/${date.slice(0, 4)}/${article.slug}`;
  const seed = numberOf(path);
  const alt = translated("A landscape in layers of colour", { de: "Eine Landschaft in Farbschichten" });
  return {
    path,
    name: title,
    date,
    dated: true,
    position: -10 * index,
    tags: [kind.replace("-", " "), ...(article.tags ?? [])],
    slugs,
    translations: languagesWith(slugs),
    content: blok("article", {
      headline: title,
      kind,
      teaser,
      image: asset(view(`${kind}-${seed % 5}`, alt)),
      published_on: `${date} 08:00`,
      reading_minutes: numeral(2 + (seed % 9)),
      authors: stories(...(article.authors ?? [])),
      books: stories(...(article.books ?? [])),
      subjects: stories(...(article.subjects ?? [])),
      body: article.body,
      extras: article.extras ?? [],
      comments_open: seed % 2 === 0,
      seo: seo(title, teaser),
    }),
    state: article.state,
    draft: article.draft,
  };
}
