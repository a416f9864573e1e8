import { withOffprint } from "offprint/next";

export default withOffprint({
  output: "export",
  trailingSlash: true,
  // The layout depends on the language, so the page that is not found has one of its own.
  experimental: { globalNotFound: true },
});
