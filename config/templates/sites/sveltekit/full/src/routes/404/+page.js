/** Hosts answer with 404.html where nothing is. */
export const prerender = true;
