import { initialState } from "../../demo/content-tree.js";
import { describeEdit } from "../../demo/describe-edit.js";
import { emptyLog, loadEdits, nextCv, saveEdits } from "../../demo/edit-log.js";
import { appendEdit, applyEdits, cvOf, type EditLog, nextKind, nextStep } from "../../demo/edits.js";
import { type EditKind, editKinds } from "../../demo/prepared-changes.js";
import type { Config } from "../config/config.js";
import { OffprintError } from "../lib/errors.js";
import { orUndefined } from "../lib/or-undefined.js";
import { plural } from "../lib/quantity-text.js";
import { openOutput, readDamagedOutput } from "../snapshot/open-output.js";
import type { Output } from "../snapshot/output.js";
import { demoSource, isSameSpace } from "../sync/space-identity.js";
import type { CommandContext } from "./context.js";
import { commandLine } from "./next-command.js";

export interface DemoFlags {
  edit?: string | true;
  reset?: boolean;
}

/** `offprint demo`: lists, makes or resets edits, kept in the output folder. The next command applies them. */
export async function runDemo(context: CommandContext, flags: DemoFlags, now = Date.now): Promise<number> {
  const config = await context.config({ tokenOptional: true });
  if (config.source.url !== demoSource) {
    const place = new URL(config.source.url).origin;
    throw new OffprintError("USAGE", `The configured source is ${place}, not the demo space.`, {
      hint: 'Only the embedded demo space can be edited. Set source.url, or the variable that it reads, to "demo:".',
    });
  }
  if (flags.edit !== undefined && flags.reset) {
    throw new OffprintError("USAGE", "--edit and --reset do not go together.", { hint: "Run one after the other." });
  }
  if (flags.reset) return reset(context, config, now);
  if (flags.edit !== undefined) return edit(context, config, kindNamed(flags.edit), now);
  return list(context, config, now);
}

async function edit(
  context: CommandContext,
  config: Config,
  kind: EditKind | undefined,
  now: () => number,
): Promise<number> {
  return locked(config, async ({ store }, confirmed) => {
    const log = await loadEdits(store, now());
    const state = applyEdits(initialState(), log);
    const chosen = kind ?? nextKind(state, log);
    const step = chosen === undefined ? undefined : nextStep(state, log, chosen);
    if (chosen === undefined || step === undefined) {
      throw new OffprintError("USAGE", `Every edit of kind ${chosen ?? "any"} that the demo space knows was made.`, {
        hint: "Choose another kind of edit, or start over with `offprint demo --reset`.",
      });
    }
    const edited = appendEdit(log, chosen, step, nextCv(now(), [cvOf(log), confirmed]));
    const description = describeEdit(edited, edited.edits.length - 1);
    await saveEdits(store, edited);

    const { terminal } = context;
    terminal.say(`${terminal.paint("green", "✔")} ${description}`);
    terminal.say(`  Next: ${commandLine("sync", context.flags, context.env)}`);
    const made = { ...edited.edits.at(-1), description };
    terminal.document({ schema: 1, cv: cvOf(edited), edit: made, edits: edited.edits.length });
    return 0;
  });
}

/** Works with a damaged log, too. Raises the cv, so that sync notices the reset. */
async function reset(context: CommandContext, config: Config, now: () => number): Promise<number> {
  return locked(config, async ({ store }, confirmed) => {
    const { terminal } = context;
    const log = await orUndefined(loadEdits(store, now()), "DEMO_EDITS_INVALID");
    const isNeeded = log === undefined || log.edits.length > 0;
    const known = [emptyLog.cv, confirmed, ...(log === undefined ? [] : [cvOf(log)])];
    const start: EditLog = isNeeded ? { cv: nextCv(now(), known), edits: [] } : log;
    if (isNeeded) {
      await saveEdits(store, start);
      terminal.say(`${terminal.paint("green", "✔")} The demo space is as it was at the beginning.`);
      terminal.say(`  Next: ${commandLine("sync", context.flags, context.env)}`);
    } else {
      terminal.say("= Nothing was edited in the demo space.");
    }
    terminal.document({ schema: 1, cv: start.cv, removed: log?.edits.length ?? null });
    return 0;
  });
}

async function list(context: CommandContext, config: Config, now: () => number): Promise<number> {
  const log = await loadEdits(openOutput(config.output).store, now());
  const state = applyEdits(initialState(), log);
  const next = nextKind(state, log);
  const edits = log.edits.map((edit, index) => ({ ...edit, description: describeEdit(log, index) }));
  const kinds = editKinds.filter((kind) => nextStep(state, log, kind) !== undefined);

  const { terminal } = context;
  terminal.data(
    `The demo space is at cv ${cvOf(log)}, ${edits.length === 0 ? "not edited" : `after ${plural(edits.length, "edit")}`}.`,
  );
  for (const { cv, description } of edits) terminal.data(`  ${new Date(cv * 1000).toISOString()}  ${description}`);
  terminal.say(
    `${commandLine("demo --edit", context.flags, context.env)}  makes the next edit (${next}), or one of: ${kinds.join(", ")}`,
  );
  terminal.say(
    `${commandLine("demo --reset", context.flags, context.env)}  takes the demo space back to its beginning`,
  );
  terminal.document({ schema: 1, cv: cvOf(log), edits, next, kinds });
  return 0;
}

/** Runs under the lock of the output folder. @throws OffprintError `SPACE_MISMATCH` if it contains another space */
async function locked(config: Config, run: (output: Output, confirmedCv: number) => Promise<number>): Promise<number> {
  const output = openOutput(config.output);
  const lock = await output.lock();
  try {
    const { manifest, state } = await readDamagedOutput(output);
    isSameSpace(manifest, demoSource, undefined, false);
    return await run(output, state.cv ?? 0);
  } finally {
    await lock.release();
  }
}

function kindNamed(name: string | true): EditKind | undefined {
  if (name === true) return undefined;
  const kind = editKinds.find((known) => known === name);
  if (kind !== undefined) return kind;
  throw new OffprintError("USAGE", `There is no edit ${JSON.stringify(name)}.`, {
    hint: `Kinds of edits: ${editKinds.join(", ")}. Without a kind the next one in this order is made.`,
  });
}
