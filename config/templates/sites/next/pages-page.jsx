import { siteSnapshot } from "offprint/next";

const content = siteSnapshot();

/** The stories of the default language, as `offprint sync` read them. */
export async function getStaticProps() {
  const stories = await (await content()).references({ pages: true });
  return { props: { stories: stories.map(({ uuid, name, url }) => ({ uuid, name, url })) } };
}

export default function Stories({ stories }) {
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
