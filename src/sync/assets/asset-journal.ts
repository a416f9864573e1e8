import type { AssetRecord } from "../../snapshot/manifest.js";
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

/** @param file in the store @param now milliseconds */
export async function openAssetJournal(
  store: Store,
  file: string,
  now: () => number = () => performance.now(),
): Promise<AssetJournal> {
  const fetched = await readJournal(store, file);
  const noted = new Map(fetched);
  let unsaved = 0;
  let savedMs = now();
  const save = async (): Promise<void> => {
    if (unsaved === 0) return;
    unsaved = 0;
    savedMs = now();
    await store.flush();
    await store.replace(file, Buffer.from(`${JSON.stringify({ format, assets: [...noted.values()] })}\n`));
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
async function readJournal(store: Store, file: string): Promise<Map<string, AssetRecord>> {
  const bytes = await store.get(file);
  if (bytes === undefined) return new Map();
  try {
    const value = JSON.parse(Buffer.from(bytes).toString("utf8")) as { format?: unknown; assets?: unknown };
    const assets = value.format === format && Array.isArray(value.assets) ? (value.assets as AssetRecord[]) : [];
    return new Map(assets.filter(isFetched).map((record) => [record.key, record]));
  } catch {
    return new Map();
  }
}

function isFetched(record: Partial<AssetRecord> | null): record is AssetRecord {
  const texts = [record?.key, record?.url, record?.hash, record?.name, record?.type];
  return texts.every((text) => typeof text === "string") && typeof record?.bytes === "number";
}
