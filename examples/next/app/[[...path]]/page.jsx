import { notFound } from "next/navigation";
import { pathSegments, staticParams } from "offprint/next";
import { Article, Author, Book, Home, Journal, Plain } from "../../components/stories";
import { content, findPage, introOf, languages, origin, otherPaths, titleOf } from "../../content";

export const dynamicParams = false;

export async function generateStaticParams() {
  const stories = await staticParams(await content());
  return [...stories, ...(await otherPaths()).map((path) => ({ path: pathSegments(path) }))];
}

export async function generateMetadata({ params }) {
  const { story, path, translations } = await findPage((await params).path);
  if (story === undefined) return {};
  return {
    metadataBase: new URL(origin),
    title: titleOf(story),
    description: introOf(story) || undefined,
    alternates: {
      canonical: path,
      languages: Object.fromEntries(translations.map(({ language, url }) => [languages[language].code, url])),
    },
    other: { generation: String((await content()).generation) },
  };
}

const kinds = { article: Article, author: Author, book: Book };

export default async function Page({ params }) {
  const { story, journal, redirect } = await findPage((await params).path);
  if (redirect !== undefined) return <meta httpEquiv="refresh" content={`0; url=${redirect}`} />;
  if (story === undefined) notFound();
  if (journal !== undefined) return <Journal story={story} journal={journal} />;
  const Kind = story.default_full_slug === "home" ? Home : (kinds[story.content.component] ?? Plain);
  return <Kind story={story} />;
}
