import type { Config } from "../../config/config.js";
import { readShapeNote } from "../../content/check/shape-note.js";
import { isUnknown, unknownKeyText } from "../../contract/unknown-key.js";
import { plural } from "../../lib/quantity-text.js";
import type { Manifest } from "../../snapshot/manifest.js";
import type { State } from "../../snapshot/state.js";
import type { Store } from "../../snapshot/store/store.js";
import { type Finding, finding } from "./diagnosis-finding.js";

const unknown: ReadonlySet<string> = new Set(["RECORD_KEY_UNKNOWN", "RECORD_VALUE_UNKNOWN"]);

/** Where stored records differ from the API as this version knows it. @param all read every record, and print each */
export async function checkContract(
  { store, manifest, state, config }: { store: Store; manifest: Manifest | undefined; state: State; config: Config },
  all: boolean,
): Promise<Finding[]> {
  if (manifest === undefined) return [];
  const met = state.unknownKeys.filter(isUnknown);
  if (all) {
    // Those of records are among the stored ones, counted.
    const beside = met.filter(({ kind }) => kind === "answer").map(unknownKeyText);
    const told = [...(await differencesIn(store, manifest, config)), ...beside];
    if (told.length === 0) return [finding("CONTRACT_OK", "The API describes every key of the stored records.")];
    return told.map((one) => finding("CONTRACT_UNKNOWN", one));
  }
  const checked = (await readShapeNote(store))?.differences ?? [];
  const [by, told] = checked.length > 0 ? ["The last check", checked] : ["Syncs", met.map(unknownKeyText)];
  const [example] = told;
  if (example === undefined) return [];
  const what = `${by} found ${plural(told.length, "difference")} from the API: ${example}`;
  return [
    finding("CONTRACT_UNKNOWN", what, "`offprint doctor --contract` prints all. The snapshot keeps unknown keys."),
  ];
}

/** Each kind of record and key once, with an example. */
async function differencesIn(store: Store, manifest: Manifest, config: Config): Promise<string[]> {
  const [{ checkGeneration }, { openFactCache }, { readSpace }] = await Promise.all([
    import("../../content/check/run-check.js"),
    import("../../content/check/fact-cache.js"),
    import("../../content/check/read-checked-space.js"),
  ]);
  const space = await readSpace(store, manifest, await openFactCache(store, config.resolve), { config });
  const findings = await checkGeneration(space, (code) => unknown.has(code));
  return findings.map(({ message, story }) => (story === null ? message : `${message} (${story.slug})`));
}
