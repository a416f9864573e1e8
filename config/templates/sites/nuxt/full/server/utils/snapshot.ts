import { followSnapshot, openSnapshot } from "offprint";

let opened: ReturnType<typeof openSnapshot> | undefined;

/** In a build the pinned generation, in development the newest one. */
export const useSnapshot = import.meta.dev ? followSnapshot() : () => (opened ??= openSnapshot());
