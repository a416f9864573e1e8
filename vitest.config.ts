import { statfsSync } from "node:fs";
import { configDefaults, defineConfig, type TestProjectInlineConfiguration } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Set by `npm run test:fleet`, which runs what needs Redis and PostgreSQL, and nothing else. */
const isFleet = process.env.OFFPRINT_FLEET_FOLDER !== undefined;
const withServers = "test/watch/fleet/*.server.test.ts";
/** Changes how this process writes files. */
const alone = ["test/crash/failing-disk.test.ts"];

/** Files that take minutes in their long forms are begun first, so that no worker ends with one of them alone. */
const longest = [
  "crash/kill",
  "crash/bucket.test",
  "crash/failing-disk",
  "site/build-workers",
  "simulation/simulation",
  "snapshot/store/lease",
  "crash/concurrent",
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rankOf = ({ moduleId }: TestSpecification): number => {
      const rank = longest.findIndex((part) => moduleId.includes(`/test/${part}`));
      return rank < 0 ? longest.length : rank;
    };
    return (await super.sort(files)).sort((a, b) => rankOf(a) - rankOf(b));
  }
}

export default defineConfig({
  test: {
    tags: [{ name: "long", description: "Takes seconds: `npm test` leaves it out, `npm run test:all` does not." }],
    sequence: { sequencer: LongestFirst },
    projects: isFleet
      ? [project("servers", { include: [withServers] })]
      : [
          // Sharing what is loaded spares a third of the time; `fresh-process` puts back what a file leaves behind.
          project("shared", {
            include: ["test/**/*.test.ts"],
            exclude: [...configDefaults.exclude, withServers, ...alone],
            isolate: false,
            setupFiles: ["test/support/fresh-process.ts"],
          }),
          project("alone", { include: alone }),
        ],
    testTimeout: 30_000,
    hookTimeout: 30_000,
    pool: "forks",
    maxWorkers: 2,
    // What tests write need not outlive a power cut: in memory, the thousands of fsyncs wait for no disk.
    env: hasRoom("/dev/shm") ? { TMPDIR: "/dev/shm" } : {},
  },
});

function project(name: string, test: Omit<NonNullable<TestProjectInlineConfiguration["test"]>, "name">) {
  return { extends: true as const, test: { name, ...test } };
}

/** Whether a folder is there with a gigabyte to spare; in a container, `/dev/shm` often has 64 MB. */
function hasRoom(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize > 1024 ** 3;
  } catch {
    return false;
  }
}
