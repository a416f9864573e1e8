import { notFound } from "next/navigation";
import { pathSegments, staticParams } from "offprint/next";
import { codeOf, content, findPage, lists, listUrl, origin, titleOf } from "../../content";
/*:: */
/*:: type Props = { params: Promise<{ path?: string[] }> }; */
/*:: type List = Awaited<ReturnType<typeof lists>>[number]; */

export const dynamicParams = false;

export async function generateStaticParams() {
  const snapshot = await content();
  const earlier = (await snapshot.redirects()).map(({ from }) => from);
  const others = [...(await lists()).map(({ url }) => url), ...earlier];
  return [...(await staticParams(snapshot)), ...others.map((url) => ({ path: pathSegments(url) }))];
}

export async function generateMetadata({ params }/*: Props */) {
  const { story, translations } = await findPage((await params).path);
  const languages = Object.fromEntries(translations.map(({ language, url }) => [codeOf(language), url]));
  const title = story === undefined ? "Stories" : titleOf(story);
  return { metadataBase: new URL(origin), title, alternates: { languages } };
}

export default async function Page({ params }/*: Props */) {
  const { story, list, moved } = await findPage((await params).path);
  if (list !== undefined) return <List {...list} />;
  if (moved !== undefined) return <meta httpEquiv="refresh" content={`0; url=${moved.to}`} />;
  if (story === undefined) notFound();
  return (
    <>
      <h1>{titleOf(story)}</h1>
      <div dangerouslySetInnerHTML={{ __html: story.body ?? "" }} />
    </>
  );
}

function List({ language, number, last, stories }/*: List */) {
  return (
    <>
      <h1>Stories</h1>
      <ul className="entries">
        {stories.map(({ uuid, url, name }) => (
          <li key={uuid}>
            <a href={url}>{name}</a>
          </li>
        ))}
      </ul>
      <nav className="pages" aria-label="Pages">
        {number > 1 && <a href={listUrl(language, number - 1)}>Previous</a>}
        {number} / {last} {number < last && <a href={listUrl(language, number + 1)}>Next</a>}
      </nav>
    </>
  );
}
