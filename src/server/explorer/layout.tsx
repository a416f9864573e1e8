import type { Child } from "hono/jsx";
import { packageFile } from "../../lib/package-file.js";
import { age } from "../../lib/quantity-text.js";
import type { Manifest } from "../../snapshot/manifest.js";
import { address, type Page, prefix, sections } from "./parts/page.js";

export const stylesheet = packageFile("config/templates/explorer/style.css");

export interface Surroundings {
  manifest: Manifest;
  nowMs: number;
  address: string;
  jsonAddress: string;
}

export function documentOf(page: Page, around: Surroundings): string {
  const { manifest } = around;
  const name = manifest.space.name ?? "Unnamed space";
  return webPage(
    `${page.title} · ${name}`,
    <>
      {linkedStyle}
      <script src={`${prefix}/script.js`} defer />
    </>,
    <body>
      <a class="skip" href="#main">
        Skip to content
      </a>
      <header class="top">
        <a class="brand" href={`${prefix}/`}>
          <b dir="auto">{name}</b> <span>explorer</span>
        </a>
        <search class="search">
          <form action={`${prefix}/stories`}>
            <label class="hidden" for="q">
              Search stories
            </label>
            <input id="q" name="q" type="search" placeholder="Search stories" autocomplete="off" />
            <button type="submit">Search</button>
            <ul id="found" hidden aria-label="Stories found" />
          </form>
        </search>
        <nav aria-label="Pages">
          <ul>
            {Object.entries(sections).map(([section, text]) => (
              <li>
                <a
                  href={address(section === "state" ? "" : section)}
                  {...(section === page.section ? { "aria-current": "page" } : {})}
                >
                  {text}
                </a>
              </li>
            ))}
          </ul>
        </nav>
      </header>
      <main id="main" tabindex={-1}>
        {page.againSeconds === undefined ? null : (
          <p class="notice" data-again={String(page.againSeconds)} role="status">
            This page is not complete yet. <a href={around.address}>Reload</a>
          </p>
        )}
        {page.view()}
      </main>
      <footer>
        <p>
          Generation {manifest.generation} · cv {manifest.cv ?? "unknown"} · {manifest.level} · committed{" "}
          <time datetime={manifest.committedAt}>{age(around.nowMs - Date.parse(manifest.committedAt))} ago</time> · read
          only · <a href={around.jsonAddress}>this page as JSON</a>
        </p>
      </footer>
    </body>,
  );
}

const linkedStyle = (
  <>
    <link rel="icon" href="data:," />
    <link rel="stylesheet" href={`${prefix}/style.css`} />
  </>
);

/** @param head what stands last in its head */
function webPage(title: string, head: Child, body: Child): string {
  const element = (
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{title}</title>
        {head}
      </head>
      {body}
    </html>
  );
  return `<!doctype html>${element}`;
}

export function reportOf(page: Page, { manifest }: Surroundings): string {
  return webPage(
    `${page.title} · ${manifest.space.name ?? "Unnamed space"}`,
    <>
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'" />
      <style dangerouslySetInnerHTML={{ __html: stylesheet }} />
    </>,
    <body class="report">
      <main>{page.view()}</main>
    </body>,
  );
}

export function tokenPage(path: string, query: URLSearchParams): string {
  return webPage(
    "A token is needed",
    linkedStyle,
    <body>
      <main id="main">
        <h1>A token is needed</h1>
        <p>
          The explorer shows drafts too, so it needs a token that may read them: one of{" "}
          <code>serve.tokens.preview</code>, or the token of the source. The browser gets a cookie in exchange, and no
          link contains the token.
        </p>
        <form action={path} class="line">
          {[...query].map(([name, value]) => (
            <input type="hidden" name={name} value={value} />
          ))}
          <label for="token">Token</label>
          <input id="token" name="token" type="password" autocomplete="off" required />
          <button type="submit">Open</button>
        </form>
      </main>
    </body>,
  );
}

export function problemPage(status: number, title: string, message: string, hint = ""): Page {
  const view = (): Child => (
    <>
      <h1>{title}</h1>
      <p class="problem">{message}</p>
      {hint === "" ? null : <p>{hint}</p>}
      <p>
        <a href={address("")}>State of the snapshot</a> · <a href={address("stories")}>All stories</a>
      </p>
    </>
  );
  return { title, section: "state", status, data: { error: message, hint }, view };
}
