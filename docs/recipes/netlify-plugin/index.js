import { copyFile, writeFile } from "node:fs/promises";

/** Before the build: brings the content. What a failed run has read is kept, too. */
export async function onPreBuild({ inputs, utils }) {
  await utils.cache.restore(inputs.dir);
  try {
    await utils.run.command(`npx offprint ${inputs.command}`);
  } catch (error) {
    await utils.cache.save(inputs.dir);
    utils.build.failBuild(`offprint ${inputs.command} failed`, { error });
  }
  await utils.cache.save(inputs.dir);
}

/** After the build: `offprint status --since` reads the first file, the next build the second one. */
export async function onPostBuild({ constants, inputs }) {
  await copyFile(`${inputs.dir}/content/index.json`, `${constants.PUBLISH_DIR}/offprint.json`);
  await writeFile(`${constants.PUBLISH_DIR}/commit.txt`, `${process.env.COMMIT_REF}\n`);
}
