import { readFile } from "node:fs/promises";
import { describe, expect, test } from "vitest";
import { errorsPage, exitCodes } from "../scripts/print-errors.js";
import { errorCodes, isOffprintError, OffprintError } from "../src/lib/errors.js";

describe("an OffprintError", () => {
  test("knows the exit code of its code, and its hint", () => {
    const error = new OffprintError("LOCKED", "output is locked by process 7", { hint: "Wait for it." });
    expect(error.exitCode).toBe(11);
    expect(error.toProblem()).toEqual({
      code: "LOCKED",
      message: "output is locked by process 7",
      hint: "Wait for it.",
    });
    expect(error.problems).toEqual([]);
  });

  test("keeps its cause, if any", () => {
    const cause = new Error("ECONNRESET");
    expect(new OffprintError("UPSTREAM_UNREACHABLE", "x", { cause }).cause).toBe(cause);
    expect("cause" in new OffprintError("UPSTREAM_UNREACHABLE", "x")).toBe(false);
  });

  test("differs from other errors, by code if one is given", () => {
    const error: unknown = new OffprintError("USAGE", "x");
    expect(isOffprintError(error)).toBe(true);
    expect(isOffprintError(error, "USAGE")).toBe(true);
    expect(isOffprintError(error, "LOCKED")).toBe(false);
    expect(isOffprintError(new Error("x"))).toBe(false);
  });
});

describe("the codes", () => {
  test("every exit code is one that the page explains", () => {
    const unexplained = Object.values(errorCodes).filter(({ exit }) => exitCodes[exit] === undefined);
    expect(unexplained).toEqual([]);
  });

  test("every code has a description", () => {
    for (const [code, { about }] of Object.entries(errorCodes)) {
      expect(code).toMatch(/^[A-Z]+(_[A-Z]+)*$/);
      expect(about).toMatch(/^[A-Z].*\.$/);
    }
  });

  test("docs/errors.md is what scripts/print-errors.ts prints, with a row for every code", async () => {
    const page = await readFile("docs/errors.md", "utf8");
    expect(page).toBe(errorsPage());
    for (const code of Object.keys(errorCodes)) expect(page).toContain(`| \`${code}\` | `);
  });
});
