/** One change of the file system, with absolute paths. */
export interface FileOperation {
  name:
    | "create"
    | "write"
    | "append"
    | "sync"
    | "mkdir"
    | "rmdir"
    | "rm"
    | "unlink"
    | "utimes"
    | "rename"
    | "link"
    | "copyFile"
    | "truncate";
  path: string;
  /** The second path of a rename, link or copy. */
  to?: string;
  /** What is written, or written behind what was there. */
  bytes?: Uint8Array;
}

/** Stands between the program and the system: performs the operation, another one in its place, or throws. */
export type FileSystemHandler = (
  operation: FileOperation,
  perform: (changed?: { bytes: Uint8Array }) => Promise<unknown>,
) => Promise<unknown>;

/** Hands every change to the handler until the returned function is called. */
export function hookFileSystem(handler: FileSystemHandler): () => void;
