import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { Config } from "../../src/config/config.js";
import { OffprintError } from "../../src/lib/errors.js";
import { currentManifest } from "../../src/snapshot/current-manifest.js";
import { generationFile, manifestFile, parts, shardFile } from "../../src/snapshot/layout.js";
import { openOutput } from "../../src/snapshot/open-output.js";
import { emptyState, loadState, saveState } from "../../src/snapshot/state.js";
import { commit } from "../../src/snapshot/write/commit.js";
import { replacePart } from "../../src/snapshot/write/update-part.js";
import {
  comparisonBase,
  leaveOutDamage,
  openBase,
  recheckBase,
  recoverBase,
  replacedBase,
} from "../../src/sync/base.js";
import { sampleConfig } from "../support/sample-config.js";
import { sampleDraft } from "../support/sample-draft.js";
import { story } from "../support/sample-snapshot.js";
import { temporaryFolder } from "../support/temporary-folder.js";

const config: Config = { ...sampleConfig, content: { ...sampleConfig.content, formats: [] } };
const shardBytes = 1_500;
const stories = parts.stories("published/default");

/** An output folder, and a way to commit generations of stories into it. */
async function folder() {
  const dir = await temporaryFolder();
  const output = openOutput({ dir });
  const commitStories = async (ids: readonly number[]) => {
    const lines = ids.map((id) => story(id)).sort((a, b) => (a.uuid < b.uuid ? -1 : 1));
    const entry = await replacePart(
      output.store,
      stories,
      lines.map((line) => JSON.stringify(line)),
      shardBytes,
    );
    const links = await replacePart(output.store, parts.links("published"), [], shardBytes);
    return commit(output.store, sampleDraft({ parts: { [stories]: entry, [parts.links("published")]: links } }));
  };
  /** Overwrites the first file of a part. */
  const damage = async (part: string) => {
    const [shard] = (await currentManifest(output.store))?.parts[part]?.shards ?? [];
    if (shard === undefined) throw new Error(`part ${part} has no file`);
    await writeFile(join(dir, shardFile(part, shard)), "[\n]\n");
  };
  return { dir, output, commitStories, damage };
}

describe("the base of a sync", () => {
  test("of an empty folder is empty and needs no repair", async () => {
    const { output } = await folder();
    expect(await openBase(output, config)).toEqual({
      head: null,
      headAtLock: null,
      previous: undefined,
      usable: undefined,
      damaged: [],
      repairs: [],
      isPointed: true,
      state: emptyState(),
      contentIsCurrent: true,
    });
  });

  test("is the current generation, all of it usable", async () => {
    const { output, commitStories } = await folder();
    const manifest = await commitStories([1, 2]);
    const base = await openBase(output, config);
    expect(base).toMatchObject({ head: 1, isPointed: true, damaged: [], repairs: [] });
    expect(base.previous).toEqual(manifest);
    expect(base.usable).toBe(base.previous);
  });

  test("detects missing content", async () => {
    const { dir, output, commitStories } = await folder();
    await commitStories([1]);
    const rendering = { ...sampleConfig, output: { ...sampleConfig.output, dir } };
    expect((await openBase(output, rendering)).contentIsCurrent).toBe(false);
    expect((await openBase(output, config)).contentIsCurrent).toBe(true);
  });

  test("ignores notes about another generation", async () => {
    const { output, commitStories } = await folder();
    await commitStories([1]);
    await saveState(output.store, { ...emptyState(), generation: 7, cv: 5, damaged: ["links/published"] });
    expect(await openBase(output, config)).toMatchObject({ damaged: [], state: { generation: null, cv: null } });
  });

  test("under the lock includes the commit of another process", async () => {
    const { output, commitStories } = await folder();
    await commitStories([1]);
    const before = await openBase(output, config);
    await commitStories([1, 2]);
    expect(await recoverBase(output, config, before)).toMatchObject({ head: 2, previous: { generation: 2 } });
    expect(before.head).toBe(1);
  });

  test("has its pointer repaired under the lock", async () => {
    const { dir, output, commitStories } = await folder();
    await commitStories([1]);
    await rm(join(dir, manifestFile));
    const before = await openBase(output, config);
    expect(before).toMatchObject({ head: 1, isPointed: false });
    expect((await recoverBase(output, config, before)).isPointed).toBe(true);
    expect(await openBase(output, config)).toMatchObject({ isPointed: true, repairs: [] });
  });

  test("of a folder without a valid manifest is empty, and the damage is reported", async () => {
    const { dir, output, commitStories } = await folder();
    await commitStories([1]);
    for (const name of [manifestFile, generationFile(1)]) await writeFile(join(dir, name), "{");
    const before = await openBase(output, config);
    expect(before).toMatchObject({ head: null, previous: undefined, isPointed: false });
    expect(before.repairs).toMatchObject([{ code: "SNAPSHOT_DAMAGED" }]);
    expect(await recoverBase(output, config, before)).toMatchObject({ head: null, isPointed: true });
  });

  test("leaves out a damaged part, and notes it once", async () => {
    const { output, commitStories, damage } = await folder();
    const manifest = await commitStories([1, 2]);
    await damage(stories);
    const found = await leaveOutDamage(output, await openBase(output, config));
    expect(found.damaged).toEqual([stories]);
    expect(found.usable?.parts).not.toHaveProperty([stories]);
    expect(found.previous).toEqual(manifest);
    expect(found.repairs).toMatchObject([
      { code: "SNAPSHOT_DAMAGED", message: `Generation 1 is damaged: ${stories}.` },
    ]);
    expect((await loadState(output.store)).damaged).toEqual([stories]);
    expect((await leaveOutDamage(output, found)).repairs).toHaveLength(1);
  });

  test("notes nothing in a dry run", async () => {
    const { output, commitStories, damage } = await folder();
    await commitStories([1]);
    await damage(stories);
    const found = await leaveOutDamage(output, await openBase(output, config), false);
    expect(found.damaged).toEqual([stories]);
    expect(await loadState(output.store)).toEqual(emptyState());
  });

  test("is checked again after a sync met damage, and its content is rendered again", async () => {
    const { output, commitStories } = await folder();
    await commitStories([1]);
    const met = new OffprintError("SNAPSHOT_DAMAGED", "The stage is damaged.");
    const base = await recheckBase(output, sampleConfig, await openBase(output, config), met);
    expect(base).toMatchObject({ damaged: [], contentIsCurrent: false });
    expect(base.repairs).toMatchObject([{ code: "SNAPSHOT_DAMAGED", message: "The stage is damaged." }]);
  });

  test("of another space is empty, on top of the existing generation", async () => {
    const { output, commitStories } = await folder();
    await commitStories([1]);
    const base = replacedBase(await openBase(output, config));
    expect(base).toMatchObject({ head: 1, previous: undefined, usable: undefined });
  });

  test("is compared by those shards of a damaged part that are whole", async () => {
    const { output, commitStories, damage } = await folder();
    const manifest = await commitStories([1, 2, 3, 4, 5, 6, 7, 8]);
    const shards = manifest.parts[stories]?.shards ?? [];
    expect(shards.length).toBeGreaterThan(1);
    const whole = await openBase(output, config);
    expect(await comparisonBase(output, whole)).toBe(whole.previous);
    await damage(stories);
    const compared = await comparisonBase(output, await leaveOutDamage(output, whole));
    expect(compared?.parts[stories]?.shards).toEqual(shards.slice(1));
  });
});
