import type { Config } from "../../config/config.js";
import type { Manifest } from "../../snapshot/manifest.js";
import type { Store } from "../../snapshot/store/store.js";
import { breaks, differenceText } from "../model/content-lock.js";
import { contentDrift, type ShownDifference } from "../model/lock-file.js";
import { storyAddress } from "../render/site-pages.js";
import { driftRule } from "./all-rules.js";
import type { FindingLevel } from "./facts/rule.js";
import { type Finding, findingOf } from "./finding.js";

const levels: Readonly<Record<Config["check"]["drift"], FindingLevel>> = {
  evolve: "info",
  warn: "warning",
  freeze: "error",
};

/** The findings of a generation against the lock; empty without a lock. */
export async function driftFindings(store: Store, manifest: Manifest, config: Config): Promise<Finding[]> {
  const url = storyAddress(config);
  const languages = new Map(manifest.editions.map(({ name, language }) => [name, language]));
  const differences = (await contentDrift(store, manifest, config)) ?? [];
  const storyOf = ({ path, ...story }: NonNullable<ShownDifference["example"]>) => {
    const language = languages.get(story.edition) ?? "default";
    return { ...story, language, url: url({ full_slug: story.slug, path }, language) };
  };
  return differences.map((difference): Finding => {
    const { component, field, found, kind, example } = difference;
    const level = levels[config.check.drift];
    return findingOf(driftRule, {
      level: level === "error" && !breaks(difference) ? "warning" : level,
      story: example && storyOf(example),
      message: differenceText(difference),
      subject: field === null ? component : `${component}.${field}`,
      language: "",
      place: kind,
      wrong: found?.join() ?? "",
    });
  });
}
