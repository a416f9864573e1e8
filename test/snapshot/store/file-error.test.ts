import { describe, expect, test } from "vitest";
import { fileError } from "../../../src/snapshot/store/file-error.js";

describe("a failed system call", () => {
  test.each(["ENOSPC", "EDQUOT", "EFBIG"])("%s means that there is no space", (code) => {
    expect(fileError(failure(code), "/out/a")).toMatchObject({ code: "NO_SPACE", exitCode: 12 });
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
