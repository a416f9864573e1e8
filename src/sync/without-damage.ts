import { baseEdition } from "../snapshot/base-edition.js";
import { parts as partNames } from "../snapshot/layout.js";
import type { EditionEntry, Manifest } from "../snapshot/manifest.js";
import { kindOf } from "../snapshot/part-kinds.js";

/**
 * The generation as far as it can be relied on: a crawl that starts from it reads the rest again. Pure.
 *
 * A damaged list of stories costs its edition. The index lines, the tags and the stories of the base language are what
 * the other editions of a version are brought up to date with, so damage there costs all editions of that version.
 * @param damaged Names of parts; names that are no part of the manifest are passed over.
 */
export function withoutDamage(manifest: Manifest, damaged: readonly string[]): Manifest {
  const lost = new Set(damaged.filter((name) => manifest.parts[name] !== undefined || kindOf(name) === "stories"));
  if (lost.size === 0) return manifest;
  const editions = manifest.editions.filter((edition) => !isLost(edition, manifest.editions, lost));
  const kept = new Set(editions.map(({ name }) => name));
  const parts = Object.entries(manifest.parts).filter(([part]) => {
    const edition = manifest.editions.find(
      ({ name }) => part === partNames.stories(name) || part === partNames.variants(name),
    );
    return !lost.has(part) && (edition === undefined || kept.has(edition.name));
  });
  return { ...manifest, editions, parts: Object.fromEntries(parts) };
}

function isLost(edition: EditionEntry, editions: readonly EditionEntry[], lost: ReadonlySet<string>): boolean {
  if (lost.has(partNames.stories(edition.name))) return true;
  if (edition.release !== null) return false;
  if (lost.has(partNames.links(edition.version)) || lost.has(partNames.tags(edition.version))) return true;
  const languages = editions.filter(({ version, release }) => version === edition.version && release === null);
  return lost.has(partNames.stories(baseEdition(languages).name));
}
