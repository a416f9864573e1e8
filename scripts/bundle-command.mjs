import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { rolldown } from "rolldown";

/** What is started as a file of its own: the command, threads of a check and of an export, the hook of Node's module loader. */
const entries = [
  "cli/main",
  "cli/one-file-at-a-time",
  "content/check/usage/check-thread",
  "content/tree/render-thread",
];

/** Packages that a user installs for some commands alone; they are looked for when these run. */
const optionalPackages = ["bullmq", "ioredis", "pg", "pg-native", "@opentelemetry/api"];

/** The texts of the licenses of what is bundled, as their packages have them. */
const noticesFile = "THIRD-PARTY-LICENSES.txt";

/**
 * Makes few files of what the command loads: the three hundred modules and the packages of a sync take longer to find and
 * open than to run. What a command loads later (`import()`) stays a file of its own. The library (`dist/src`) stays as it is.
 *
 * @param {string} root of the repository, with the compiled sources in `dist/src`
 * @param {string} folder where the files are written
 *
 * @throws Error where something cannot be found: nothing may be left to be found later
 */
export async function bundleCommand(root, folder) {
  writeFileSync(join(folder, noticesFile), notices(root, await writeBundle(root, folder)));
}

/**
 * @param {string} root
 * @param {string} folder
 * @returns {Promise<string[]>} the files that were bundled
 */
async function writeBundle(root, folder) {
  const problems = [];
  const bundle = await rolldown({
    input: Object.fromEntries(entries.map((entry) => [entry.split("/").at(-1), join(root, "dist/src", `${entry}.js`)])),
    platform: "node",
    // The package brings these for the library anyway. All of undici is loaded where a proxy is in use, and tinypool finds
    // files of its own beside itself.
    external: [...optionalPackages, "undici", "tinypool"],
    // js-yaml reads functions with it where it is there, which are no data: gray-matter has it read plain values alone.
    resolve: { alias: { esprima: false } },
    onLog: (level, log) => {
      // gray-matter evaluates front matter in JavaScript, which is turned off where it is called.
      if (level === "warn" && log.code !== "EVAL") problems.push(log.message);
    },
  });
  try {
    const written = await bundle.write({
      dir: folder,
      format: "esm",
      minify: { compress: false, mangle: false, codegen: true },
      chunkFileNames: "[name].js",
      // A file of its own for what each set of commands has in common would make hundreds of small ones.
      codeSplitting: { groups: [{ name: "common", test: /dist\/src\//, minShareCount: 12 }] },
    });
    if (problems.length > 0) throw new Error(problems.join("\n"));
    // A module of the bundler's own (`\0rolldown/empty.js`) is no file.
    const modules = written.output.flatMap((chunk) => (chunk.type === "chunk" ? chunk.moduleIds : []));
    return modules.filter((module) => !module.startsWith("\0"));
  } finally {
    await bundle.close();
  }
}

/**
 * Name, version and license of every package that these files are of.
 * @param {string} root
 * @param {readonly string[]} files
 */
function notices(root, files) {
  const packages = files.flatMap((file) => {
    const path = relative(root, file).replaceAll("\\", "/");
    return /^(?:.*\/)?node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? [];
  });
  return [...new Set(packages)]
    .sort()
    .map((path) => {
      const { name, version, license } = JSON.parse(readFileSync(join(root, path, "package.json"), "utf8"));
      const file = readdirSync(join(root, path)).find((entry) => /^licen[cs]e/i.test(entry));
      const text = file === undefined ? "" : readFileSync(join(root, path, file), "utf8").trim();
      return `${name} ${version} (${license})\n\n${text}\n`;
    })
    .join(`\n${"-".repeat(80)}\n\n`);
}
