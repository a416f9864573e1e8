import { redirect } from "@sveltejs/kit";

/** An address of the site's own: prerendered, it is a page that leads on. */
export const load = () => redirect(308, "/journal/");
