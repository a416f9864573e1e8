import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const page = readFileSync("CONTRIBUTING.md", "utf8");

test("CONTRIBUTING.md has a line of every script", () => {
  const { scripts } = JSON.parse(readFileSync("package.json", "utf8")) as { scripts: object };
  const [, table = ""] = /\n## Scripts\n([\s\S]*?)\n## /.exec(page) ?? [];
  const named = [...table.matchAll(/^\| (`.*?) \|/gm)].flatMap(([, cell = ""]) => cell.replaceAll("`", "").split(", "));
  expect(named.sort()).toEqual(Object.keys(scripts).sort());
});

test("CONTRIBUTING.md says what every variable does that a test or the bench reads", () => {
  const files = ["test", "bench"].flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: "utf8" }).map((name) => join(folder, name)),
  );
  const read = files
    .filter((name) => name.endsWith(".ts"))
    .flatMap((name) =>
      [...readFileSync(name, "utf8").matchAll(/\benv\.(OFFPRINT_\w+)/g)].map(([, variable]) => variable),
    );
  expect(read.length).toBeGreaterThan(20);
  const ofUsers = ["OFFPRINT_PINNED"];
  expect([...new Set(read)].filter((name) => !ofUsers.includes(name!) && !page.includes(`\`${name}`))).toEqual([]);
});
