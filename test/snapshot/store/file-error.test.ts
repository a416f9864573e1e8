import { describe, expect, test } from "vitest";
import { fileError, noSpaceHint } from "../../../src/snapshot/store/file-error.js";

describe("a failed system call", () => {
  test.each(["ENOSPC", "EDQUOT", "EFBIG"])("%s means that there is no space", (code) => {
    expect(fileError(failure(code), "/out/a")).toMatchObject({ code: "NO_SPACE", exitCode: 12 });
  });

  test("without inodes asks for fewer files, and without bytes for space", () => {
    const disk = { files: 300, ffree: 0, bavail: 27 * 1024, bsize: 1024 };
    expect(noSpaceHint(disk)).toMatch(/^The disk has 27 MB free, but no inodes/);
    for (const other of [
      { ...disk, bavail: 0 },
      { ...disk, ffree: 1000, files: 2000 },
      { ...disk, files: 0 },
      undefined,
    ]) {
      expect(noSpaceHint(other)).toMatch(/^Free some space or files/);
    }
  });

  test.each(["EACCES", "EROFS", "EPERM", "EIO", "ENOTDIR", "EXDEV"])(
    "%s names the path that cannot be used",
    (code) => {
      const error = fileError(failure(code), "/out/a");
      expect(error).toMatchObject({ code: "OUTPUT_UNUSABLE", message: `/out/a cannot be used (${code}).` });
    },
  );

  test("that is not about the disk is unchanged", () => {
    const error = failure("EMFILE");
    expect(fileError(error, "/out/a")).toBe(error);
    expect(fileError("text", "/out/a")).toBe("text");
  });
});

function failure(code: string): Error {
  return Object.assign(new Error(code), { code });
}
