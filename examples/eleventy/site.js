/** Codes for `lang` and `hreflang`, and how a language calls itself. */
export const languages = {
  default: { code: "en", name: "English" },
  de: { code: "de", name: "Deutsch" },
  "pt-br": { code: "pt-BR", name: "Português" },
};

const layouts = { article: "article.njk", author: "author.njk", book: "book.njk" };

/** What a story's page has beside the story: its layout, and the journal its pages. */
export function pageData(story) {
  if (story.default_full_slug === "home") return { layout: "home.njk" };
  if (story.default_full_slug === "journal/") return journal(story);
  return { layout: layouts[story.content.component] ?? "plain.njk" };
}

function journal({ url, language }) {
  return {
    layout: "journal.njk",
    pagination: { data: "collections.article", size: 10, before: (pages) => articles(pages, language) },
    permalink: ({ pagination }) =>
      pagination.pageNumber === 0 ? `${url}/index.html` : `${url}/page/${pagination.pageNumber + 1}/index.html`,
  };
}

/** The stories of articles in a language, newest first. */
function articles(pages, language) {
  const found = storiesOf(pages).filter((story) => story.language === language);
  return found.sort((a, b) => (a.content.published_on < b.content.published_on ? 1 : -1));
}

function picture({ content }) {
  return content.cover ?? content.portrait;
}

function storiesOf(pages) {
  return pages.map(({ data }) => data.story).filter((story) => story !== undefined);
}

export const filters = {
  articles,

  absolute: (url) => new URL(url, "https://lumenpress.example").href,

  title({ content, name }) {
    return content.title || content.headline || content.question || content.term || content.name || name;
  },

  intro({ content }) {
    const intro = content.intro || content.teaser || content.about || content.line || content.summary;
    return typeof intro === "string" && !intro.startsWith("<") ? intro : "";
  },

  /** What a card shows of a story. */
  picture,

  /** Whether each story has a picture. */
  pictured: (stories) => stories.every((story) => picture(story)?.src),

  /** The story at a slug of the default language, in a language, or in the default one. */
  at(pages, slug, language) {
    const found = storiesOf(pages).filter((story) => story.default_full_slug === slug);
    return found.find((story) => story.language === language) ?? found.find((story) => story.language === "default");
  },

  /** The stories right below a start page. */
  below(pages, { is_startpage, full_slug, language }) {
    const isBelow = (slug) => slug.startsWith(full_slug) && /^[^/]+\/?$/.test(slug.slice(full_slug.length));
    if (!is_startpage) return [];
    return storiesOf(pages).filter((story) => story.language === language && isBelow(story.full_slug));
  },

  /** The values of a datasource in a language, by name. */
  values(entries, language) {
    return Object.fromEntries(entries.map(({ name, value, dimensions }) => [name, dimensions[language] ?? value]));
  },

  date(text, language) {
    const day = new Date(`${text.slice(0, 10)}T00:00:00Z`);
    return new Intl.DateTimeFormat(languages[language].code, { dateStyle: "long", timeZone: "UTC" }).format(day);
  },
};
