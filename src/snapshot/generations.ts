/** The generations of a snapshot: read, committed, removed. */
export { commit, type ManifestDraft, recoverPointer } from "./commit.js";
export { currentManifest, listGenerations, readManifest } from "./current-manifest.js";
export { prune } from "./prune.js";
