import { entry } from "../../lib/server/site";

/** Static hosts answer with `404.html` where nothing is. */
export const trailingSlash = "never";
export const load = async () => ({ title: await entry("labels", "error.404", "default") });
