import { register } from "node:module";

// Preloaded with `--import`: writes the address of every module that is loaded to the file that RECORD_LOADS names.
register(
  `data:text/javascript,${encodeURIComponent(`
import { appendFileSync } from "node:fs";
export async function load(url, context, next) {
  appendFileSync(process.env.RECORD_LOADS, url + "\\n");
  return next(url, context);
}`)}`,
);
