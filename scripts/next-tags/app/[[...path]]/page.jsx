import { randomUUID } from "node:crypto";
import { cacheLife, cacheTag } from "next/cache";
import { pathOf, staticParams } from "offprint/next";
import { content, readPage } from "../../content.js";

export async function generateStaticParams() {
  return staticParams(await content(), { languages: ["default"] });
}

async function load(path) {
  "use cache";
  cacheLife("max");
  const { value, tags } = await (await content()).track((s) => readPage(s, path));
  cacheTag(...tags);
  return { shown: JSON.stringify(value), rendering: randomUUID() };
}

export default async function Page({ params }) {
  const { shown, rendering } = await load(pathOf((await params).path));
  return (
    <main data-shown={Buffer.from(shown).toString("base64")} data-rendering={rendering}>
      {shown}
    </main>
  );
}
