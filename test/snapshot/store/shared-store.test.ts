import { expect, test } from "vitest";
import type { StoreSetting } from "../../../src/config/config.js";
import { openOutput } from "../../../src/snapshot/open-output.js";
import type { Store } from "../../../src/snapshot/store/store.js";
import { createMemoryBucket } from "../../support/memory-bucket.js";
import { openTestBucket, realEndpoint } from "../../support/s3-endpoint.js";
import { keyVariables, storeSettingOf } from "../../support/s3-machine.js";
import { describeStore } from "../../support/store-suite.js";
import { temporaryFolder } from "../../support/temporary-folder.js";

const setting: StoreSetting = {
  bucket: "memory",
  prefix: "space",
  singleWriter: false,
  leaseMs: 60_000,
  cacheBytes: 100_000_000,
};

/** The files below a folder of a store, as a store. */
function below(store: Store, root: string): Store {
  const folderIn = (name: string) => (name === "" ? root : inside(name));
  // An invalid name would become a valid one below the folder.
  const inside = (name: string) => (name === "" || name.includes(":") ? name : `${root}/${name}`);
  const outside = (name: string) => name.slice(root.length + 1);
  return {
    ...store,
    put: async (name, bytes) => store.put(inside(name), bytes),
    async begin() {
      const object = await store.begin();
      return { ...object, finish: (name) => object.finish(inside(name)) };
    },
    get: async (name) => store.get(inside(name)),
    read: async (name) => store.read(inside(name)),
    list: async (folder) =>
      (await store.list(folderIn(folder))).map((entry) => ({ ...entry, name: outside(entry.name) })),
    names: async (folder) => (await store.names(folderIn(folder))).map(outside),
    remove: async (name) => store.remove(inside(name)),
    advance: async (name, bytes) => store.advance(inside(name), bytes),
    replace: async (name, bytes) => store.replace(inside(name), bytes),
  };
}

for (const root of ["snapshot/some", ".work/local"]) {
  describeStore(`a store over a bucket, below ${root}`, async () => {
    const dir = await temporaryFolder();
    const output = openOutput({ dir, store: setting }, { bucket: createMemoryBucket().client() });
    await output.lock();
    return below(output.store, root);
  });
}

// On a real server below more than one folder, which the suite has no time for.
for (const root of realEndpoint === undefined ? ["snapshot/some"] : ["snapshot/some", "assets", ".consumers"]) {
  describeStore(`a store over S3, below ${root}`, async () => {
    const at = await openTestBucket();
    const output = openOutput(
      { dir: await temporaryFolder(), store: storeSettingOf(at) },
      { env: keyVariables(at), assure: async () => {} },
    );
    await output.lock();
    return below(output.store, root);
  });
}

test("sends nothing before the first use", async () => {
  const memory = createMemoryBucket();
  const { store } = openOutput({ dir: await temporaryFolder(), store: setting }, { bucket: memory.client() });
  expect(memory.requests).toEqual([]);
  expect(await store.get("manifest.json")).toBeUndefined();
  expect(memory.requests).toEqual(["GET manifest.json 404"]);
});
