import { parseAs } from "../../lib/parse-as.js";
import { anything, list, object, oneOf } from "../../lib/shape.js";
import { assetJournalFile } from "../../snapshot/layout.js";
import type { AssetRecord } from "../../snapshot/manifest.js";
import { assetRecordShape } from "../../snapshot/record-fault.js";
import type { Store } from "../../snapshot/store/store.js";

/** Assets that were fetched but not committed: after an interruption they need no request. */
export interface AssetJournal {
  fetched: ReadonlyMap<string, AssetRecord>;
  note(record: AssetRecord): Promise<void>;
  save(): Promise<void>;
}

const format = 1;
/** The journal is written after this many assets, or after this time in milliseconds. */
const assetsPerWrite = 200;
const writeMs = 2000;

/** @param now milliseconds */
export async function openAssetJournal(
  store: Store,
  now: () => number = () => performance.now(),
): Promise<AssetJournal> {
  const fetched = await readJournal(store);
  const noted = new Map(fetched);
  let unsaved = 0;
  let savedMs = now();
  const save = async (): Promise<void> => {
    if (unsaved === 0) return;
    unsaved = 0;
    savedMs = now();
    await store.flush();
    await store.replace(assetJournalFile, Buffer.from(`${JSON.stringify({ format, assets: [...noted.values()] })}\n`));
  };
  return {
    fetched,
    save,
    async note(record) {
      noted.set(record.key, record);
      unsaved += 1;
      if (unsaved >= assetsPerWrite || now() - savedMs >= writeMs) await save();
    },
  };
}

/** A journal that cannot be read is an empty one: its assets are fetched again. */
async function readJournal(store: Store): Promise<Map<string, AssetRecord>> {
  const { assets } = parseAs(await store.get(assetJournalFile), journalShape) ?? { assets: [] };
  const fetched = assets.filter((record) => assetRecordShape.is(record) && record.hash !== null) as AssetRecord[];
  return new Map(fetched.map((record) => [record.key, record]));
}

const journalShape = object<{ format: typeof format; assets: unknown[] }>({
  format: oneOf(format),
  assets: list(anything),
});
