import type { Problem } from "../../lib/errors.js";
import { type Finding, finding } from "./diagnosis-finding.js";

/** @param problems empty if the configuration can be used */
export function checkConfiguration(problems: readonly Problem[], file: string): Finding[] {
  if (problems.length === 0) return [finding("CONFIG_OK", `${file} is valid.`)];
  return problems.map(({ message, hint }) => finding("CONFIG_PROBLEM", message, hint));
}
