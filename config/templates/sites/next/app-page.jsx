import { siteSnapshot } from "offprint/next";

const content = siteSnapshot();

/** The stories of the default language, as `offprint sync` read them. */
export default async function Stories() {
  const stories = await (await content()).references({ pages: true });
  return (
    <main>
      <h1>{stories.length} stories</h1>
      <ul>
        {stories.map((story) => (
          <li key={story.uuid}>
            {story.name} <code>{story.url}</code>
          </li>
        ))}
      </ul>
    </main>
  );
}
