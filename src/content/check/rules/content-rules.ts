import { inMap } from "../../../lib/collections/in-map.js";
import type { CheckedEdition, CheckedSpace } from "../facts/checked-space.js";
import { sourcesOfFields } from "../facts/field-sources.js";
import { reachedStories } from "../facts/references.js";
import type { GlobalReport, GlobalRule } from "../facts/rule.js";
import { translations } from "../facts/translations.js";

export const optionUnknown: GlobalRule = {
  code: "OPTION_UNKNOWN",
  level: "warning",
  about: "A field that takes its values from a datasource has a value that the datasource lacks.",
  hint: "Choose another value, or add this one to the datasource.",
  check(space, report) {
    for (const edition of space.editions) {
      const sources = sourcesOfFields(edition, space);
      for (const { start, facts } of edition.shards) {
        for (const [field, values] of facts.options) {
          const source = sources.get(facts.names.fields[field]!);
          const known = source === undefined ? undefined : space.datasources.get(source);
          if (known === undefined) continue;
          for (const [value, count, story, path, place] of values) {
            if (known.has(value)) continue;
            const more = count > 1 ? ` (and ${count - 1} more times)` : "";
            report({
              story: { edition, at: start + story },
              path,
              place,
              wrong: `${source} ${value}`,
              message: `The datasource ${source} has no value ${JSON.stringify(value)}${more}.`,
            });
          }
        }
      }
    }
  },
};

const leastBlocks = 50;
/** At most one in this many may be empty: otherwise the field is optional. */
const oneOf = 50;

export const fieldEmpty: GlobalRule = {
  code: "FIELD_EMPTY",
  level: "info",
  about: "A field is empty, though at least 49 of 50 blocks of its component fill it.",
  hint: "Fill it if it was forgotten.",
  check({ editions }, report) {
    for (const edition of editions) {
      const counts = edition.fills();
      for (const { start, facts } of edition.shards) {
        for (const [field, story, path, place] of facts.empties) {
          const name = facts.names.fields[field]!;
          const { present, filled } = counts.get(name)!;
          if (present < leastBlocks || (present - filled) * oneOf > present) continue;
          report({
            story: { edition, at: start + story },
            path,
            place,
            wrong: name,
            message: `The field is empty; ${filled} of ${present} blocks fill ${name}.`,
          });
        }
      }
    }
  },
};

export const storyEmpty: GlobalRule = {
  code: "STORY_EMPTY",
  level: "warning",
  about: "A story has no content, or content that names no content type: no page can be made of it.",
  hint: "Give it content in the editor, or delete it.",
  check({ editions }, report) {
    for (const edition of editions) {
      for (const { start, facts } of edition.shards) {
        for (let at = facts.typeOf.indexOf(-1); at !== -1; at = facts.typeOf.indexOf(-1, at + 1)) {
          const story = { edition, at: start + at };
          report({ story, wrong: "content", message: "The story has no content." });
        }
      }
    }
  },
};

/** If few stories of a type are linked, the site's code probably lists them: nothing is reported. */
export const storyUnreached: GlobalRule = {
  code: "STORY_UNREACHED",
  level: "info",
  about: "No other story links to a story or names it, though most stories of its content type are named somewhere.",
  hint: "Link to it, or delete it if nobody needs it.",
  check(space, report) {
    for (const edition of space.editions) {
      const reached = reachedStories(edition, space);
      for (const [type, { all, unreached }] of countsByType(edition, reached)) {
        const some = all - unreached.length;
        if (type === "" || all < leastOfType || some < all * 0.9) continue;
        for (const at of unreached) {
          if (edition.isHome(at)) continue;
          const message = `No story links here, but ${some} of ${all} stories of type ${type} are linked.`;
          report({ story: { edition, at }, wrong: "unreached", message });
        }
      }
    }
  },
};

const leastOfType = 10;

interface TypeCounts {
  all: number;
  /** Positions of stories that no other story names. */
  unreached: number[];
}

function countsByType({ shards }: CheckedEdition, reached: Uint8Array): Map<string, TypeCounts> {
  const byType = new Map<string, TypeCounts>();
  for (const { start, facts } of shards) {
    const ofTypes = facts.names.types.map((name) => inMap(byType, name, () => ({ all: 0, unreached: [] })));
    for (let at = 0; at < facts.count; at += 1) {
      const counts = ofTypes[facts.typeOf[at]!];
      if (counts === undefined) continue;
      counts.all += 1;
      if (reached[start + at] === 0) counts.unreached.push(start + at);
    }
  }
  return byType;
}

export const untranslated: GlobalRule = {
  code: "UNTRANSLATED",
  level: "warning",
  about:
    "At least nine tenths of a story's text is the same as in the default language. Names, numbers and codes do not count.",
  hint: "Translate it, or unpublish it in this language.",
  check: (space, report) => reportSame(space, (share) => share >= untranslatedShare, "untranslated", report),
};

export const halfTranslated: GlobalRule = {
  code: "HALF_TRANSLATED",
  level: "info",
  about: "Between three and nine tenths of a story's text is the same as in the default language.",
  hint: "Translate the rest.",
  check: (space, report) =>
    reportSame(space, (share) => share >= halfShare && share < untranslatedShare, "half", report),
};

/** From these shares on, a page counts as half translated, and as not translated. */
const [halfShare, untranslatedShare] = [0.3, 0.9];

function reportSame(
  space: CheckedSpace,
  isMeant: (sameShare: number) => boolean,
  wrong: string,
  report: (found: GlobalReport) => void,
): void {
  for (const { story, sameShare, letters } of translations(space)) {
    if (!isMeant(sameShare)) continue;
    const share = `${Math.round(sameShare * 100)} % of the text (about ${letters} letters)`;
    report({ story, wrong, message: `${share} is the same as in the default language.` });
  }
}
