/** Something that a worker tells of the fleet. */
export type FleetNotice =
  | { kind: "queue-lost"; atMs: number; reason: string }
  | { kind: "queue-back"; atMs: number; lostMs: number }
  /** A job of a worker that is gone waits again. */
  | { kind: "taken-over"; atMs: number; space: string }
  /** The queue has a job of a space that is not in this configuration. */
  | { kind: "unknown-space"; atMs: number; space: string };
