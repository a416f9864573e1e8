import { withOffprint } from "offprint/next";

export default withOffprint({ cacheComponents: true });
