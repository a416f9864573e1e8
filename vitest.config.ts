import { statfsSync } from "node:fs";
import { configDefaults, defineConfig } from "vitest/config";

/** Set by `npm run test:fleet`, which runs what needs Redis and PostgreSQL, and nothing else. */
const isFleet = process.env.OFFPRINT_FLEET_FOLDER !== undefined;
const withServers = "test/fleet/*.server.test.ts";

export default defineConfig({
  test: {
    include: isFleet ? [withServers] : ["test/**/*.test.ts"],
    exclude: isFleet ? configDefaults.exclude : [...configDefaults.exclude, withServers],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    pool: "forks",
    maxWorkers: 2,
    // What tests write need not outlive a power cut: in memory, the thousands of fsyncs wait for no disk.
    env: hasRoom("/dev/shm") ? { TMPDIR: "/dev/shm" } : {},
  },
});

/** Whether a folder is there with a gigabyte to spare; in a container, `/dev/shm` often has 64 MB. */
function hasRoom(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize > 1024 ** 3;
  } catch {
    return false;
  }
}
