export { default } from "../site.js";
