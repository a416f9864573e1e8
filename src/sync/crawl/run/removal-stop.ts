import type { ErrorCode } from "../../../lib/errors.js";

/** Why a sync stops instead of removing records. */
export interface RemovalStop {
  code: ErrorCode;
  message: string;
  /** Begins the hint: what was kept, and when to force the removal. The command follows. */
  when: string;
}
