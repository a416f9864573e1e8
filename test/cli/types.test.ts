import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { type EditableSpace, startEditableSpace } from "../support/editable-space.js";
import { runCommand } from "../support/run-command.js";
import { type SyncFolder, sourceYaml, syncFolder } from "../support/sync-folder.js";

async function spaceAndFolder(more = ""): Promise<{ space: EditableSpace; folder: SyncFolder }> {
  const space = await startEditableSpace({
    languages: [],
    stories: [{ name: "One", slug: "one", content: { component: "page", title: "One" } }],
  });
  onTestFinished(() => space.close());
  const folder = await syncFolder(sourceYaml(space.url, `${more}content: { formats: [] }\n`));
  return { space, folder };
}
