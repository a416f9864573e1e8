import type { Config, Version } from "../config/config.js";
import { type ReadSpace, readTagNames } from "../content/check/read-checked-space.js";
import { onReadSpace } from "../content/check/run-check.js";
import { findUsers, kindsNamed } from "../content/check/usage/find-users.js";
import { languageUsage, type Usage, type UsageKind, usageKinds, usageOverview } from "../content/check/usage/usage.js";
import { overviewText, unusedText, usageText } from "../content/check/usage/usage-text.js";
import { OffprintError } from "../lib/errors.js";
import { printable } from "../lib/printable.js";
import { openOutput } from "../snapshot/open-output.js";
import type { Store } from "../snapshot/store/store.js";
import type { CommandContext } from "./context.js";
import { forEachSpace } from "./for-each-space.js";
import { missingSnapshot } from "./missing-snapshot.js";
import { shellWord } from "./next-command.js";

export interface UsageFlags {
  unused?: boolean;
  drafts?: boolean;
  all?: boolean;
}

/** `offprint usage`: answers for each of several spaces separately. */
export async function runUsage(
  context: CommandContext,
  kind: string | undefined,
  name: string | undefined,
  flags: UsageFlags,
): Promise<number> {
  const asked = askedFor(kind, name);
  if (asked !== undefined && flags.unused) {
    throw new OffprintError(
      "USAGE",
      `--unused is about the whole content, and not about one ${asked.kind ?? "thing"}.`,
      {
        hint: "Run `offprint usage --unused`.",
      },
    );
  }
  const fleet = await context.spaces({ tokenOptional: true });
  const [first, ...others] = fleet.spaces;
  if (first !== undefined && others.length === 0) {
    const answer = await usageOf(first.config, asked, flags);
    if (answer === undefined) throw unknownName(asked);
    context.terminal.text(answer.text, "plain");
    context.terminal.document({ schema: 1, ...answer.document });
    return 0;
  }
  const answers = new Map<string, Answer | undefined>();
  const exitCode = await forEachSpace(context, fleet, "usage", async (own, space, admit) => {
    await admit();
    const answer = await usageOf(space.config, asked, flags);
    answers.set(space.name, answer);
    own.terminal.document({ schema: 1, ...(answer?.document ?? { ...asked, times: 0, users: [] }) });
    return 0;
  });
  if (answers.size > 0 && [...answers.values()].every((answer) => answer === undefined)) throw unknownName(asked);
  const texts = fleet.spaces.flatMap(({ name: space }) => {
    if (!answers.has(space)) return [];
    return `${printable(`# ${space}`)}\n${answers.get(space)?.text ?? `No ${asked?.kind ?? kindsText} ${printable(asked?.name ?? "")}.`}`;
  });
  context.terminal.text(texts.join("\n\n"), "plain");
  return exitCode;
}

interface Asked {
  /** Undefined: the only thing of this name. */
  kind: UsageKind | undefined;
  name: string;
}

interface Answer {
  text: string;
  document: object;
}

/** @returns undefined if the space has nothing of that name */
async function usageOf(config: Config, asked: Asked | undefined, flags: UsageFlags): Promise<Answer | undefined> {
  const { store } = openOutput(config.output);
  const version: Version | undefined = flags.drafts ? "draft" : undefined;
  const answer = await onReadSpace(store, { config, version }, async (space): Promise<{ answer?: Answer }> => {
    if (asked === undefined) {
      const overview = usageOverview(space, await readTagNames(store, space));
      const text = flags.unused ? unusedText(overview, flags) : overviewText(overview, flags);
      return { answer: { text, document: overview } };
    }
    const kind = asked.kind ?? onlyKind(space, asked.name);
    const usage = kind && (await usersOf(store, space, kind, asked.name));
    if (usage === undefined) return {};
    const { generation } = space.manifest;
    return { answer: { text: usageText(usage, flags), document: { generation, ...usage } } };
  });
  if (answer === undefined) throw missingSnapshot(config);
  return answer.answer;
}

function usersOf(store: Store, space: ReadSpace, kind: UsageKind, name: string): Promise<Usage | undefined> {
  return kind === "language" ? languageUsage(store, space, name) : findUsers(space, kind, name);
}

function unknownName(asked: Asked | undefined): OffprintError {
  return new OffprintError("USAGE", `The content has no ${asked?.kind ?? kindsText} ${JSON.stringify(asked?.name)}.`, {
    hint: "Run `offprint usage` to see what there is.",
  });
}

const kindsText = `${usageKinds.slice(0, -1).join(", ")} or ${usageKinds.at(-1)}`;

/** @throws OffprintError `USAGE` if things of several kinds have this name */
function onlyKind(space: ReadSpace, name: string): UsageKind | undefined {
  const kinds = kindsNamed(space, name);
  if (kinds.length < 2) return kinds[0];
  throw new OffprintError("USAGE", `${JSON.stringify(name)} is more than one thing: ${kinds.join(", ")}.`, {
    hint: `Write ${kinds.map((kind) => `\`offprint usage ${kind} ${shellWord(printable(name))}\``).join(" or ")}.`,
  });
}

function askedFor(kind: string | undefined, name: string | undefined): Asked | undefined {
  if (kind === undefined) return undefined;
  const known = usageKinds.find((one) => one === kind);
  if (known !== undefined && name !== undefined) return { kind: known, name };
  if (known === undefined && name === undefined) return { kind: undefined, name: kind };
  throw new OffprintError("USAGE", known === undefined ? `There is no kind ${kind}.` : `Which ${kind}?`, {
    hint: `Write \`offprint usage <kind> <name>\`; kinds: ${usageKinds.join(", ")}.`,
  });
}
