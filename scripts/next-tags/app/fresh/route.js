import { content, readPage } from "../../content.js";

/** What a page should show now. */
export async function GET(request) {
  const path = new URL(request.url).searchParams.get("path");
  return new Response(JSON.stringify(await readPage(await content(), path)));
}
