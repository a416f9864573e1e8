import { portrait } from "../assets/pictures.js";
import type { Content } from "../compile/compile-content.js";
import { blok, type DemoStory, slugOf } from "../demo-story.js";
import { asset, linkToEmail, linkToUrl, seo, stories } from "../fields.js";
import { choose, numberOf } from "../identifiers.js";
import { storyLink, text } from "../rich-text.js";
import { fill } from "../template.js";
import { translated } from "../translated.js";
import { type Author, type Book, booksBy, type Catalogue } from "./catalogue.js";

/** The page of each author. */
export function authorStories(content: Content, { authors, books }: Catalogue): DemoStory[] {
  return authors.map((author, index) => {
    const { name, place, line } = author;
    const slug = slugOf(name);
    const own = booksBy(books, slug);
    // The two know each other, or would get on: a relation that leads round in circles.
    const friend = authors[(index + 1) % authors.length] ?? author;
    const day = String(2 + (numberOf(name) % 26)).padStart(2, "0");
    const picture = portrait(
      slug,
      translated(`Portrait of ${name}, as a mosaic`, { de: `Porträt von ${name}, als Mosaik` }),
    );
    return {
      path: `authors/${slug}`,
      name,
      date: `2021-0${1 + (index % 9)}-${day}`,
      slugs: { de: slug },
      translations: ["de", "pt-br"],
      position: index - 20,
      tags: own.length > 2 ? ["house author"] : [],
      content: blok("author", {
        name,
        place,
        sort_name: name.split(" ").reverse().join(", "),
        portrait: asset(picture),
        line: `${name} ${line}.`,
        bio: biography(author, own, content.authors),
        books: stories(...own.map(({ path }) => path)),
        friend: stories(`authors/${slugOf(friend.name)}`)[0],
        website:
          index % 3 === 0
            ? linkToUrl(`https://${slug}.example/`, { title: `${name}'s own page` })
            : linkToEmail("authors@lumenpress.example"),
        available_for_readings: index % 4 !== 0,
        seo: seo(`${name} | Lumen Press`, `${name} ${line}.`),
      }),
      draft: author.draft,
    };
  });
}

function biography(author: Author, own: readonly Book[], texts: Content["authors"]) {
  const { name, place, line } = author;
  const [first, ...others] = own;
  const english = fill(first === undefined ? texts["biography-without-books"] : texts.biography, {
    introduction: fill(choose(texts.introductions, name), { name, place, line }),
    habit: choose(texts.habits, `${name} habit`),
    books: [
      ...(first === undefined ? [] : [storyLink(first.path, first.title)]),
      ...others.flatMap(({ title }) => [text(", "), text(title, [{ type: "italic" }])]),
    ],
  });
  const { none, one, more } = texts["german-books"];
  const books = own.length === 0 ? none : own.length === 1 ? one : fill(more, { count: own.length });
  return translated(english, { de: fill(texts["german-biography"], { name, place, books }) });
}
