import type { ErrorCode } from "../../../lib/errors.js";

export interface RemovalStop {
  code: ErrorCode;
  message: string;
  /** Begins the hint: what was kept, and when to force the removal. The command follows. */
  when: string;
}
