/** What `offprint/vite` adds to a site. In a file of the site: `/// <reference types="offprint/vite/client" />` */
declare module "offprint:content" {
  /** The snapshot of the space: in a build the generation that all of it shows, else the newest one. For the server only. */
  export const snapshot: import("offprint").Snapshot;
}
