import { withOffprint } from "offprint/next";

export default withOffprint({
  output: "export",
  // As resolve.links.pattern of sync.config.yaml, so that every host finds the files.
  trailingSlash: true,
  // Each language has its own <html>, so the page that is not found has its own, too.
  experimental: { globalNotFound: true },
});
