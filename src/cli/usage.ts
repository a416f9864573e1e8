import { openFactCache } from "../check/fact-cache.js";
import { readSpace, readTagNames } from "../check/read-space.js";
import { onCurrentGeneration } from "../check/run-check.js";
import { findUsers } from "../check/usage/find-users.js";
import { usageOverview } from "../check/usage/overview.js";
import { type UsageKind, usageKinds } from "../check/usage/usage.js";
import { overviewText, unusedText, usageText } from "../check/usage/usage-text.js";
import type { Version } from "../config/config.js";
import { OffprintError } from "../errors.js";
import { openOutput } from "../snapshot/open-output.js";
import type { CommandContext } from "./context.js";
import { missingSnapshot } from "./missing-snapshot.js";

export interface UsageFlags {
  unused?: boolean;
  drafts?: boolean;
  all?: boolean;
}

/** `offprint usage` */
export async function runUsage(
  context: CommandContext,
  kind: string | undefined,
  name: string | undefined,
  flags: UsageFlags,
): Promise<number> {
  const { terminal } = context;
  const asked = askedFor(kind, name);
  const config = await context.config({ tokenOptional: true });
  const { store } = openOutput(config.output);
  const version: Version | undefined = flags.drafts ? "draft" : undefined;
  const answer = await onCurrentGeneration(store, async (manifest) => {
    const cache = await openFactCache(store, config.resolve);
    const space = await readSpace(store, manifest, cache, { config, version });
    await cache.save();
    const { generation } = manifest;
    if (asked === undefined) {
      const overview = usageOverview(space, await readTagNames(store, manifest, space));
      return { text: flags.unused ? unusedText(overview, flags) : overviewText(overview, flags), document: overview };
    }
    const usage = await findUsers(space, asked.kind, asked.name);
    if (usage === undefined) {
      throw new OffprintError("USAGE", `The content has no ${asked.kind} ${JSON.stringify(asked.name)}.`, {
        hint: "Run `offprint usage` to see what there is.",
      });
    }
    return { text: usageText(usage, flags), document: { generation, ...usage } };
  });
  if (answer === undefined) throw missingSnapshot(config);
  terminal.data(answer.text);
  terminal.document({ schema: 1, ...answer.document });
  return 0;
}

function askedFor(kind: string | undefined, name: string | undefined): { kind: UsageKind; name: string } | undefined {
  if (kind === undefined) return undefined;
  const known = usageKinds.find((one) => one === kind);
  if (known !== undefined && name !== undefined) return { kind: known, name };
  throw new OffprintError("USAGE", known === undefined ? `There is no kind ${kind}.` : `Which ${kind}?`, {
    hint: `Write \`offprint usage <kind> <name>\`; kinds: ${usageKinds.join(", ")}.`,
  });
}
