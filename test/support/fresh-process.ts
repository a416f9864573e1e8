import { afterAll, vi } from "vitest";
import { forgetSecrets } from "../../src/lib/redact/redact.js";

/*
 * Files of tests share a process and the modules that it has loaded. What a file changes of the process is put back before the next one:
 * secrets, variables of the environment, the clock, the working folder.
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
