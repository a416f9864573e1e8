import { articlesIn, childrenOf, dateIn, introOf, pageAt, titleOf, valuesOf } from "../content";

/** HTML that the snapshot made of rich text and blocks: what editors typed is text in it. */
export function Html({ html }) {
  // biome-ignore lint/security/noDangerouslySetInnerHtml: see above.
  return html ? <div dangerouslySetInnerHTML={{ __html: html }} /> : null;
}

export function Picture({ asset }) {
  if (!asset?.src) return null;
  return <img src={asset.src} width={asset.width} height={asset.height} alt={asset.alt ?? ""} loading="lazy" />;
}

/** The picture that a page begins with: wide, and loaded at once. */
function Lead({ asset }) {
  if (!asset?.src) return null;
  return <img className="lead" src={asset.src} width={asset.width} height={asset.height} alt={asset.alt ?? ""} />;
}

export function Entries({ pages }) {
  if (pages.length === 0) return null;
  return (
    <ul className="entries">
      {pages.map((page) => (
        <li key={page.uuid}>
          <a href={page.url}>{titleOf(page)}</a>
          {page.content?.published_on && (
            <span className="meta"> {dateIn(page.language, page.content.published_on)}</span>
          )}
          {introOf(page) && <p className="meta">{introOf(page)}</p>}
        </li>
      ))}
    </ul>
  );
}

const pictureOf = ({ content }) => content.cover ?? content.portrait;

/** Pages with their picture above the title. A relation to a story that is not published has no content. */
export function Cards({ pages }) {
  const shown = pages.filter((page) => page.content);
  if (shown.length === 0) return null;
  return (
    <ul className="cards">
      {shown.map((page) => (
        <li key={page.uuid}>
          <a href={page.url}>
            <Picture asset={pictureOf(page)} />
            <span>{titleOf(page)}</span>
          </a>
        </li>
      ))}
    </ul>
  );
}

export function Home({ story }) {
  return story.content.body.map((block) => {
    const Block = homeBlocks[block.component];
    return Block && <Block key={block._uid} block={block} language={story.language} />;
  });
}

const homeBlocks = {
  hero: ({ block }) => (
    <section className="hero">
      <Lead asset={block.image} />
      <div>
        <h1>{block.headline}</h1>
        <p>
          {block.buttons.map(({ _uid, link, label }) => (
            <a key={_uid} className="button" href={link.url}>
              {label}
            </a>
          ))}
        </p>
      </div>
    </section>
  ),
  featured_books: ({ block }) => (
    <section className="wide">
      <h2>{block.title}</h2>
      <Cards pages={block.books} />
    </section>
  ),
  latest_articles: async ({ block, language }) => (
    <section className="wide">
      <h2>{(await pageAt("journal/", language)).name}</h2>
      <Entries pages={(await articlesIn(language)).slice(0, Number(block.count))} />
    </section>
  ),
  grid: ({ block }) => (
    <section className="wide panels">
      {block.columns
        .flatMap(({ blocks }) => blocks)
        .map((teaser) => (
          <div key={teaser._uid}>
            <h2>
              <a href={teaser.link.url}>{teaser.title}</a>
            </h2>
            <Html html={teaser.text} />
          </div>
        ))}
    </section>
  ),
};

export function Journal({ story, journal: { url, number, last, articles } }) {
  const numbers = Array.from({ length: last }, (_, index) => index + 1);
  return (
    <>
      <h1>{titleOf(story)}</h1>
      {introOf(story) && <p className="intro">{introOf(story)}</p>}
      <Entries pages={articles} />
      <nav className="pages" aria-label={titleOf(story)}>
        {numbers.map((n) => (
          <a key={n} href={n === 1 ? url : `${url}/page/${n}`} aria-current={n === number ? "page" : undefined}>
            {n}
          </a>
        ))}
      </nav>
    </>
  );
}

export function Article({ story }) {
  const { authors, books, image, published_on } = story.content;
  return (
    <article>
      <h1>{titleOf(story)}</h1>
      <p className="meta">
        <time dateTime={published_on.slice(0, 10)}>{dateIn(story.language, published_on)}</time>
        {authors.map(
          ({ uuid, url, name }) =>
            url && (
              <a key={uuid} href={url} rel="author">
                {" "}
                {name}
              </a>
            ),
        )}
      </p>
      <p className="intro">{introOf(story)}</p>
      <Lead asset={image} />
      <Html html={story.body} />
      <Cards pages={books} />
    </article>
  );
}

export async function Book({ story }) {
  const { authors, binding, cover, pages, price, series } = story.content;
  const labels = await valuesOf("labels", story.language);
  const bindings = await valuesOf("bindings", story.language);
  return (
    <article>
      <h1>{titleOf(story)}</h1>
      <p className="intro">{introOf(story)}</p>
      <div className="beside">
        <Picture asset={cover} />
        <dl className="facts">
          <dt>{labels["nav.authors"]}</dt>
          {authors
            .filter(({ url }) => url)
            .map(({ uuid, url, name, content }) => (
              <dd key={uuid}>
                <a href={url} rel="author">
                  {name}
                </a>
                {content?.place && <span className="meta">, {content.place}</span>}
              </dd>
            ))}
          {series?.url && (
            <>
              <dt>{labels["nav.books"]}</dt>
              <dd>
                <a href={series.url}>{series.name}</a>
              </dd>
            </>
          )}
          {bindings[binding] && (
            <>
              <dt>{bindings[binding]}</dt>
              <dd>{labels["book.pages"].replace("{count}", pages)}</dd>
            </>
          )}
          {price && (
            <>
              <dt>€</dt>
              <dd>{price}</dd>
            </>
          )}
        </dl>
      </div>
      <Html html={story.body} />
    </article>
  );
}

export function Author({ story }) {
  const { books, place, portrait } = story.content;
  return (
    <article>
      <h1>{titleOf(story)}</h1>
      <p className="meta">{place}</p>
      <div className="beside">
        <Picture asset={portrait} />
        <div>
          <p className="intro">{introOf(story)}</p>
          <Html html={story.body} />
        </div>
      </div>
      <Cards pages={books} />
    </article>
  );
}

export async function Plain({ story }) {
  const children = await childrenOf(story);
  const Children = children.every((child) => pictureOf(child)?.src) ? Cards : Entries;
  return (
    <>
      <h1>{titleOf(story)}</h1>
      {introOf(story) && <p className="intro">{introOf(story)}</p>}
      <Html html={story.body} />
      <Children pages={children} />
    </>
  );
}
