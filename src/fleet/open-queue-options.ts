import type { WorkerSetting } from "../config/fleet.js";

/** How `openQueue` opens. */
export interface OpenQueueOptions {
  setting: WorkerSetting & { queue: string };
  /** How many spaces there are: that many jobs are remembered, several times over. */
  spaces: number;
  /** Whether it is only asked: then nothing is made there, and jobs may be lost by the server's settings. */
  readOnly?: boolean | undefined;
}
