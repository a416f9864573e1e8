import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";

/**
 * Lets a test step into every change that this process makes to the file system: `node:fs/promises`, file handles, and
 * the callback functions that fs-extra uses. Import it before anything that imports `node:fs`, or preload it
 * (`node --import`). Reads pass untouched: they change nothing.
 */

/** @type {import("./file-system-hook.d.mts").FileSystemHandler | undefined} */
let handler;

export function hookFileSystem(next) {
  handler = next;
  return () => {
    handler = undefined;
  };
}

/** Calls the handler, or goes straight on. */
function through(operation, perform) {
  return handler === undefined ? perform(operation) : handler(operation, perform);
}

const pathOf = (path) => (typeof path === "string" ? resolve(path) : String(path));
const bytesOf = (data) => (typeof data === "string" ? Buffer.from(data) : data);

function writes(flags) {
  if (flags === undefined) return false;
  if (typeof flags === "number") return (flags & (fs.constants.O_CREAT | fs.constants.O_TRUNC)) !== 0;
  return !flags.startsWith("r");
}

/** How the handler learns of each function of one path or two. */
const simple = { mkdir: 1, rmdir: 1, rm: 1, unlink: 1, utimes: 1, rename: 2, link: 2, copyFile: 2, truncate: 1 };

const { promises } = fs;
for (const [name, paths] of Object.entries(simple)) {
  const original = promises[name];
  promises[name] = (...args) => through(operationOf(name, paths, args), () => original(...args));
  const withCallback = fs[name];
  fs[name] = (...args) => {
    const callback = args.pop();
    const perform = () =>
      new Promise((done, fail) => {
        withCallback(...args, (error, value) => (error ? fail(error) : done(value)));
      });
    through(operationOf(name, paths, args), perform).then((value) => callback(null, value), callback);
  };
}

function operationOf(name, paths, [path, to]) {
  return { name, path: pathOf(path), ...(paths === 2 ? { to: pathOf(to) } : {}) };
}

const paths = new WeakMap();
const open = promises.open;
promises.open = async (path, flags, ...more) => {
  const perform = () => open(path, flags, ...more);
  const handle = await (writes(flags) ? through({ name: "create", path: pathOf(path) }, perform) : perform());
  paths.set(handle, pathOf(path));
  return handle;
};

promises.writeFile = async (path, data, options) => {
  const flags = typeof options === "object" ? options?.flag : undefined;
  const handle = await promises.open(path, flags ?? "w");
  try {
    await handle.writeFile(data);
  } finally {
    await handle.close();
  }
};

const probe = await open(join(tmpdir(), `offprint-hook-${process.pid}`), "w");
const prototype = Object.getPrototypeOf(probe);
await probe.close();
fs.rmSync(join(tmpdir(), `offprint-hook-${process.pid}`));

const handleWriteFile = prototype.writeFile;
prototype.writeFile = function (data, ...more) {
  const operation = { name: "write", path: paths.get(this) ?? "", bytes: bytesOf(data) };
  return through(operation, (changed) => handleWriteFile.call(this, changed?.bytes ?? data, ...more));
};
const handleAppendFile = prototype.appendFile;
prototype.appendFile = function (data, ...more) {
  const operation = { name: "append", path: paths.get(this) ?? "", bytes: bytesOf(data) };
  return through(operation, (changed) => handleAppendFile.call(this, changed?.bytes ?? data, ...more));
};
const sync = prototype.sync;
prototype.sync = function () {
  return through({ name: "sync", path: paths.get(this) ?? "" }, () => sync.call(this));
};

syncBuiltinESMExports();

/**
 * At the n-th change below a folder this process ends as a power switch would end it (`before`), or stops until it is told
 * to go on (`stop`); or it ends when half of the n-th write was written (`torn`).
 */
const { CRASH_AT, CRASH_WHEN, CRASH_BELOW, CRASH_COUNT } = process.env;
if (CRASH_BELOW !== undefined) {
  let [changes, writes] = [0, 0];
  const die = () => {
    process.kill(process.pid, "SIGKILL");
    return new Promise(() => {});
  };
  hookFileSystem(async (operation, perform) => {
    if (!operation.path.startsWith(CRASH_BELOW)) return perform();
    changes++;
    const isWrite = operation.bytes !== undefined;
    if (isWrite) writes++;
    if (CRASH_WHEN === "torn") {
      if (!isWrite || String(writes) !== CRASH_AT) return perform();
      await perform({ bytes: operation.bytes.subarray(0, operation.bytes.length >> 1) });
      return die();
    }
    if (String(changes) !== CRASH_AT) return perform();
    if (CRASH_WHEN === "before") return die();
    process.kill(process.pid, "SIGSTOP");
    return perform();
  });
  process.on("exit", () => {
    if (CRASH_COUNT !== undefined) fs.writeFileSync(CRASH_COUNT, JSON.stringify({ changes, writes }));
  });
}
