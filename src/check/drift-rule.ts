/** What `CONTENT_DRIFT` is, beside the rules that look at stories. */
export const driftRule = {
  code: "CONTENT_DRIFT",
  level: "info" as const,
  about:
    "The content has another shape than `check.lock` says. With `check.drift: warn` a warning; with `freeze` an error where a field vanished, changed its type, or a component appeared.",
  hint: "See what the site's code makes of it, then agree to it: `offprint check --write-lock`.",
};
