// @module-tag long
import { spawn } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { describe, expect, test } from "vitest";
import { manifestFile } from "../../src/snapshot/layout.js";
import { isWholeForm } from "../support/crash-steps.js";
import { temporaryFolder } from "../support/temporary-folder.js";
import { startTinySpace } from "../support/tiny-space.js";

/**
 * Real file systems, mounted in their own namespace (`unshare`, as root): they are gone when the script ends. These
 * tests fail where that is not possible; they are never skipped.
 */

const main = resolve(import.meta.dirname, "..", "..", "dist", "cli", "main.js");

/** What the tests look at of a command's `--json`. */
interface Document {
  outcome?: string;
  requests?: { total: number };
  problems: { code: string; hint: string }[];
  snapshot?: { problems: { message: string }[] };
}

/** Runs a shell script in a project folder; `offprint NAME …` notes the code and the document of a command under a name. */
async function inNamespace(
  script: string,
  args: string[] = [],
): Promise<Map<string, { code: number; document: Document | undefined }>> {
  const space = await startTinySpace();
  const dir = await temporaryFolder();
  await writeFile(
    join(dir, "sync.config.yaml"),
    `source: { url: "${space.url}", token: test-token }\nassets: { download: true }\nqueue: { retries: 0 }\n`,
  );
  await mkdir(join(dir, "output"));
  const prelude = `set -eu
offprint() { name=$1; shift; set +e; document=$("${process.execPath}" "${main}" "$@" --json 2>stderr); code=$?; set -e
  printf '%s\\t%s\\t%s\\n' "$name" "$code" "$(printf %s "$document" | tr -d '\\n\\t')" >&3; }
`;
  const child = spawn("unshare", ["--mount", "--propagation", "private", "sh", "-c", prelude + script, "sh", ...args], {
    cwd: dir,
    stdio: ["ignore", "inherit", "pipe", "pipe"],
  });
  let [said, told] = ["", ""];
  child.stderr?.setEncoding("utf8").on("data", (text: string) => {
    said += text;
  });
  (child.stdio[3] as NodeJS.ReadableStream).setEncoding("utf8").on("data", (text: string) => {
    told += text;
  });
  const code = await new Promise<number | null>((done, fail) => {
    child.on("error", fail);
    child.on("close", done);
  });
  if (code !== 0) throw new Error(`unshare or the script ended with ${code}: ${said}`);
  const lines = told.split("\n").filter((line) => line !== "");
  return new Map(
    lines.map((line) => {
      const [name = "", exit, document = ""] = line.split("\t");
      const parsed = document === "" ? undefined : (JSON.parse(document) as Document);
      return [name, { code: Number(exit), document: parsed }] as const;
    }),
  );
}

describe("a disk that is really full", () => {
  const sizes = isWholeForm ? Array.from({ length: 12 }, (_, at) => `${(at + 1) * 12}k`) : ["64k", "160k"];
  const limits = [
    ...sizes.map((size) => `size=${size}`),
    ...(isWholeForm ? [12, 20, 28, 44] : [20]).map((n) => `nr_inodes=${n}`),
  ];
  const codes = new Set<number | undefined>();
  test.each(limits)(
    "%s: code 12 and what to do, nothing half, and with more room the next sync goes on",
    async (limit) => {
      const runs = await inNamespace(
        `mount -t tmpfs -o "$1" none output
      offprint small sync
      offprint verify verify
      mount -o remount,size=64m,nr_inodes=0 output
      offprint large sync
      offprint whole verify
      offprint again sync
      test ! -e output/.work`,
        [limit],
      );
      const small = runs.get("small");
      expect([0, 12]).toContain(small?.code);
      codes.add(small?.code);
      if (small?.code === 12)
        expect(small.document?.problems[0]).toMatchObject({
          code: "NO_SPACE",
          hint: expect.stringContaining(limit.startsWith("nr_inodes") ? "no inodes" : "Free some space"),
        });
      const verify = runs.get("verify");
      // No snapshot yet, or a whole one, whose content tree may be missing, and whose pointer is one step behind where
      // the disk was full between the two.
      const problems = verify?.document?.snapshot?.problems ?? [];
      if (verify?.code !== 2)
        expect(problems.filter(({ message }) => !message.startsWith(`${manifestFile} `))).toEqual([]);
      expect(runs.get("large")).toMatchObject({ code: 0 });
      expect(runs.get("whole")).toMatchObject({ code: 0 });
      expect(runs.get("again")).toMatchObject({ code: 0, document: { outcome: "unchanged", requests: { total: 1 } } });
    },
  );

  test("some of these disks were too small, and some were not", () => {
    expect([...codes].sort()).toEqual([0, 12]);
  });
});

test("refuses a read-only output folder with a hint", async () => {
  const runs = await inNamespace(
    `offprint first sync
    mount --bind output output
    mount -o remount,ro,bind output
    offprint full sync --full
    offprint unchanged sync
    offprint verify verify`,
  );
  expect(runs.get("full")).toMatchObject({ code: 2, document: { problems: [{ code: "OUTPUT_UNUSABLE" }] } });
  expect(runs.get("full")?.document?.problems[0]?.hint).toContain("read-only");
  // What needs no writing works.
  expect(runs.get("unchanged")?.code).toBe(0);
  expect(runs.get("verify")?.code).toBe(0);
});

describe("a power cut after a first sync loses nothing: a copy of the disk lacks what the system still had in memory", () => {
  test.each([
    ["one disk", ["output"]],
    ["a disk, and another one for the pages", ["output", "output/content/markdown"]],
  ])("%s", async (_, folders) => {
    const copies = folders.map((folder, at) => `mkdir -p ${folder}; mount -o loop copy${at} ${folder}`);
    const disks = folders.map((folder, at) => {
      return `truncate -s 300M disk${at}; mkfs.ext4 -q disk${at}; mkdir -p ${folder}; mount -o loop disk${at} ${folder}`;
    });
    const runs = await inNamespace(
      `${disks.join("\n")}
      cat > sync.config.yaml <<'END'
source: { url: "demo:", token: demo }
assets: { download: true }
content: { formats: [json, markdown] }
END
      offprint sync sync
      ${folders.map((_, at) => `cp disk${at} copy${at}`).join("\n")}
      mkdir live
      mount --move output live
      ${copies.join("\n")}
      test "$(find output/content -name '*.md' | wc -l)" -gt 100
      for part in manifest.json snapshot assets content; do diff -r "live/$part" "output/$part"; done
      offprint verify verify
      offprint again sync`,
    );
    expect(runs.get("sync")?.code).toBe(0);
    expect(runs.get("verify")?.code).toBe(0);
    expect(runs.get("again")).toMatchObject({ code: 0, document: { outcome: "unchanged" } });
  });
});

describe("folders on another disk", () => {
  test("the output folder as a whole, and the content folder in it", async () => {
    const runs = await inNamespace(
      `mount -t tmpfs none output
      mkdir output/content
      mount -t tmpfs none output/content
      offprint sync sync
      offprint verify verify`,
    );
    expect(runs.get("sync")?.code).toBe(0);
    expect(runs.get("verify")?.code).toBe(0);
  });

  test("refuses a part of the snapshot with a hint, and loses nothing", async () => {
    const runs = await inNamespace(
      `offprint first sync
      mkdir elsewhere
      cp -a output/snapshot/. elsewhere
      mount --bind elsewhere output/snapshot
      mount -t tmpfs none output/snapshot/stories
      offprint apart sync --full
      umount output/snapshot/stories output/snapshot
      offprint verify verify`,
    );
    expect(runs.get("apart")).toMatchObject({ code: 2, document: { problems: [{ code: "OUTPUT_UNUSABLE" }] } });
    expect(runs.get("apart")?.document?.problems[0]?.hint).toContain("on one disk");
    expect(runs.get("verify")?.code).toBe(0);
  });
});
