/** The key of the page. Whoever has the page has it, so it gives no more than the page shows. */
export const pageKey = "vehicle-browser";
