import { afterAll, vi } from "vitest";
import { forgetSecrets } from "../../src/lib/redact/redact.js";

/**
 * Test files share a process and its loaded modules. This restores the process after each file:
 * secrets, environment variables, the clock, the working folder.
 */
forgetSecrets();
const [environment, folder] = [{ ...process.env }, process.cwd()];

afterAll(() => {
  vi.unstubAllEnvs();
  vi.useRealTimers();
  for (const name of Object.keys(process.env)) if (!Object.hasOwn(environment, name)) delete process.env[name];
  Object.assign(process.env, environment);
  process.chdir(folder);
});
