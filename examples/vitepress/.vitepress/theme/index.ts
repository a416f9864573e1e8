import type { Theme } from "vitepress";
import Layout from "./Layout.vue";
// The style sheet that `init --site --full` writes: copy it to change it.
import "../../node_modules/offprint/config/templates/sites/style.css";

export default { Layout } satisfies Theme;
