import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parse } from "yaml";
import { createMemoryStore } from "../src/snapshot/store/memory-store.js";
import { startS3Server } from "../test/support/s3-server/start-s3-server.js";
import { commitSample, story } from "../test/support/sample-snapshot.js";
import { bucketName, type Drill, empty, ends, good, openDrill, prefix, told } from "./backup-drill.js";
import { needProgram } from "./run-process.js";
import type { Trial } from "./trial-project.js";

/** Backs up, loses and restores a bucket and a folder, as docs/backup.md says, by its own commands. */
export async function tryBackup(trial: Trial, recipes: string): Promise<void> {
  await needProgram("rclone", { cwd: trial.folder, env: trial.env });
  const server = await startS3Server();
  server.bucket(bucketName);
  try {
    const drill = await openDrill(trial, server);
    await takeBackup(drill);
    await buildFromBucket(drill, recipes);
    await loseFolder(drill);
    await loseBucket(drill);
    await findOtherSpace(drill);
    await forgetHold(drill);
  } finally {
    await server.close();
  }
}

async function takeBackup({ run, block, server, backup }: Drill): Promise<void> {
  await good(run("npx offprint sync --quiet"));
  await good(run("npx offprint demo --edit publish && npx offprint changes --for site --commit"));
  const [first] = await Promise.all([run(block("back up")), good(run("npx offprint sync --quiet"))]);
  if (first.code !== 0) throw new Error(`a backup during a sync: ${first.text}`);
  const { code, text } = await run(block("back up"));
  if (code !== 0 || !/✔ Generation 2\b[\s\S]*all match/.test(text)) throw new Error(`the backup is not whole: ${text}`);
  const pointer = server.bucket(bucketName).get(`${prefix}/manifest.json`)?.body;
  if (!pointer?.equals(await readFile(join(backup, "manifest.json")))) throw new Error("the pointers differ");
  told("a backup, also during a sync, is whole, and has the bytes of the bucket");
}

/** The recipes of hosts that pull: a build from the bucket, and one from the last pull while the bucket is down. */
async function buildFromBucket({ run, server }: Drill, recipes: string): Promise<void> {
  const { content } = parse(await readFile(join(recipes, "gitlab-pull.yml"), "utf8"));
  const lines: string[] = content.script.filter((line: string) => !/npm (?:ci|run deploy)/.test(line));
  const { buildCommand } = JSON.parse(await readFile(join(recipes, "vercel-pull.json"), "utf8"));
  if (lines.length !== 2 || buildCommand.length > 256) throw new Error("the recipes of hosts that pull");
  for (const command of [lines.join("\n"), buildCommand]) await ends(0, run(command), "BUILT");
  const open = await server.refuseConnections();
  await ends(0, run(`export AWS_MAX_ATTEMPTS=1; ${buildCommand}`), "BUILT");
  await open();
  told("GitLab and Vercel build from the bucket, and from the last pull while it is down");
}

/** A folder is lost with its space; then one that the space fills again. */
async function loseFolder({ run, block, folderSite: cwd }: Drill): Promise<void> {
  await good(run(block("restore a folder"), { cwd, offline: true }));
  await good(run("npm run build", { cwd, offline: true }));
  const built = await readFile(join(cwd, "dist", "index.html"), "utf8");
  if (!built.includes("of generation 2")) throw new Error(`built: ${built}`);
  await readFile(join(cwd, "output", "content", "index.json"));
  told("an empty folder is restored, and a site is built from it, without a network and without a token");
}

async function loseBucket(drill: Drill): Promise<void> {
  const { run, block, server, site } = drill;
  await good(run("npx offprint demo --edit publish && npx offprint sync --quiet"));
  await good(run("cp -r output/content/index.json deployed.json; npx offprint changes --for site --commit"));
  await good(
    run(
      'sed "s#/[^ ]*/backup#copy#" backup.yaml > copy.yaml; npx offprint pull -c copy.yaml --from s3://site-content/blog',
    ),
  );
  empty(server);
  for (const command of ["status --offline", "verify", "pull"])
    await ends(2, run(`npx offprint ${command}`), "SNAPSHOT_MISSING");
  const [manifestsLast = "", ...rest] = block("restore a bucket").split("\n");
  await good(run(manifestsLast));
  await ends(2, run("npx offprint pull"), "SNAPSHOT_MISSING");
  told("half a restored bucket is no snapshot for a reader");
  await good(run(rest.join("\n")));
  await good(run("npm run build", { offline: true }));
  told("an empty bucket is restored and verified, and a site is built from its pulled copy without a network");
  await ends(0, run("npx offprint status --offline --since deployed.json --exit-code"), "other content");
  await good(run("npx offprint demo --edit delete && npx offprint sync --quiet"));
  await ends(0, run("npx offprint status --offline --since deployed.json --exit-code"), "other content");
  await ends(0, run("npx offprint changes --for site | head -n 1"), '"full"');
  await ends(6, run("npx offprint pull -c copy.yaml --from s3://site-content/blog"), "SNAPSHOT_AHEAD");
  await good(run("npx offprint pull -c copy.yaml --from s3://site-content/blog --replace"));
  told(
    "then a sync goes on, a deployment is outdated, a consumer gets the full list, a later copy is replaced when asked",
  );
  empty(server);
  await rm(join(site, "output", "content"), { recursive: true });
  await ends(0, run("npx offprint sync"), "Generation 1 (exact)");
  await ends(6, run(block("back up")), "SNAPSHOT_AHEAD");
  told("a lost bucket whose space is there is read again, and never replaces the backup");
}

async function findOtherSpace({ run, block, server, backup, site, upstream }: Drill): Promise<void> {
  empty(server);
  const other = createMemoryStore();
  const space = { name: "Another", source: "https://api.storyblok.com" };
  await commitSample({ space, editions: { "published/default": [story(1)] } }, other);
  const bucket = server.bucket(bucketName);
  for (const name of await other.names("")) {
    bucket.put(`${prefix}/${name}`, Buffer.from((await other.get(name))!), Date.now());
  }
  const before = [bucket.keys().length, await readFile(join(backup, "manifest.json"), "utf8")];
  await ends(6, run("npx offprint sync"), "SPACE_MISMATCH");
  await ends(6, run(block("back up")), "SPACE_MISMATCH");
  const snapshotKeys = bucket.keys().filter((key) => !/\.lease|\.offprint-trial/.test(key)).length;
  const after = [snapshotKeys, await readFile(join(backup, "manifest.json"), "utf8")];
  if (String(before) !== String(after)) throw new Error("another space was written over");
  // The demo space never replaces another one.
  const settings = await readFile(join(site, "sync.config.yaml"), "utf8");
  const real = settings.replace('"demo:"', `"${upstream}"`).replace("download: true", "download: false");
  await writeFile(join(site, "real.yaml"), real);
  await good(run("npx offprint sync -c real.yaml --replace --quiet && npx offprint verify -c real.yaml"));
  told("another space in the bucket stops the sync and the backup, until --replace");
}

/** A hold is told, comes back with the backup, and ends by the command of the page. */
async function forgetHold({ run, block, backup, folderSite, server }: Drill): Promise<void> {
  empty(server);
  await good(run("npx offprint sync --quiet"));
  await good(run("npx offprint demo --edit publish && npx offprint sync --quiet && npx offprint rollback"));
  await rm(backup, { recursive: true });
  await mkdir(backup);
  await good(run("npx offprint demo --edit publish"));
  await good(run("npx offprint sync --quiet --metrics-file held.prom"));
  await ends(0, run("grep HELD held.prom"), 'code="HELD"} 1');
  await ends(0, run("npx offprint status"), "held ");
  await good(run(block("back up")));
  await rm(join(folderSite, "output"), { recursive: true });
  await good(run(block("restore a folder"), { cwd: folderSite }));
  await ends(0, run("npx offprint status --offline", { cwd: folderSite }), "held ");
  await good(run(block("release a hold")));
  const { text } = await run("npx offprint status");
  if (/^held/m.test(text)) throw new Error(`still held: ${text}`);
  told("a forgotten hold is told by status and metrics, is restored as one, and is released");
}
