import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Picture } from "./built-page.js";
import { addressOf, type BuiltSite, fileAt, resolved } from "./built-site.js";
import { type PictureSize, pictureSize } from "./picture-size.js";
import type { SiteExpectations, SiteProblem } from "./site-expectations.js";

/** Every picture that a page shows is a file of the site, has an alternative text, and says the file's own size. */
export async function checkPictures(site: BuiltSite, { origin }: SiteExpectations): Promise<SiteProblem[]> {
  const sizes = new Map<string, PictureSize | undefined>();
  const problems: SiteProblem[] = [];
  for (const [file, page] of site.pages) {
    for (const picture of page.pictures) {
      const found = [picture.src, ...picture.srcset].map((address) => localFile(site, origin, file, address));
      for (const name of found) {
        if (name && !sizes.has(name)) sizes.set(name, pictureSize(await readFile(join(site.folder, name))));
      }
      const wrong = pictureProblems(picture, found, sizes);
      problems.push(...wrong.map((message): SiteProblem => ({ kind: "picture", file, message })));
    }
  }
  return problems;
}

/** The file of a picture; undefined where it is missing, null where it is none of the site. */
function localFile(site: BuiltSite, origin: string, page: string, address: string): string | undefined | null {
  const url = resolved(address, `${origin}${addressOf(page)}`);
  return url?.origin === origin ? fileAt(site, url.pathname) : null;
}

function pictureProblems(
  { src, srcset, alt, width, height }: Picture,
  files: readonly (string | undefined | null)[],
  sizes: ReadonlyMap<string, PictureSize | undefined>,
): string[] {
  const missing = [src, ...srcset]
    .filter((_, at) => files[at] === undefined)
    .map((address) => `${address} leads to no file`);
  const own = files[0] ? sizes.get(files[0]) : undefined;
  const empty = files[0] && own === undefined ? [`${src} is no picture`] : [];
  const says = `${width ?? "?"} × ${height ?? "?"}`;
  const same = own === undefined || (Number(width) === own.width && Number(height) === own.height);
  return [
    ...missing,
    ...empty,
    ...(same ? [] : [`${src} is ${own.width} × ${own.height}, and the page says ${says}`]),
    ...(alt === undefined ? [`${src} has no alt`] : []),
  ];
}
