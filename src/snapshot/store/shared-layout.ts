/** Which names lie in a bucket that machines share, and what some of them are. */
export interface SharedLayout {
  /** The file that names the current generation. */
  pointer: string;
  /** What rides in the lease object. */
  state: string;
  /** Folder of the generations' files. */
  generations: string;
  /** Whether a file, or the files of a folder, lie in the bucket. */
  isShared(name: string): boolean;
  /** Whether a shared file is written without the lease. */
  isUnguarded(name: string): boolean;
  /** The beginning of the hash of a file's bytes, where its name holds it. */
  hashOf(name: string): string | undefined;
}
