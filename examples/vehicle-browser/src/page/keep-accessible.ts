/** Where operations and their parts stand below the title. */
const levels = { ".opblock-tag, .models > h4": "2", ".opblock-title": "3", ".opblock-section h4": "3" };

/** What Swagger UI draws outside of the main part. */
const regions = { ".information-container": "About the API", ".schemes-server-container": "Server" };

/** Says of the parts of Swagger UI what it does not say itself, whenever it draws some. */
export function keepAccessible(viewer: Element): void {
  const say = (): void => {
    for (const field of viewer.querySelectorAll(":is(input, select, textarea):not([aria-label])"))
      field.setAttribute("aria-label", nameOf(field));
    for (const [headings, level] of Object.entries(levels))
      for (const heading of viewer.querySelectorAll(headings)) heading.setAttribute("aria-level", level);
    for (const [parts, name] of Object.entries(regions)) {
      for (const part of viewer.querySelectorAll(parts)) {
        part.setAttribute("role", "region");
        part.setAttribute("aria-label", name);
      }
    }
    // Whoever has no mouse scrolls with keys.
    for (const code of viewer.querySelectorAll("pre:not([tabindex])")) code.setAttribute("tabindex", "0");
  };
  new MutationObserver(say).observe(viewer, { childList: true, subtree: true });
}

function nameOf(field: Element): string {
  const row = field.closest("tr[data-param-name]");
  const place = field.id === "servers" ? "Server" : "Media type";
  return row?.getAttribute("data-param-name") ?? field.getAttribute("placeholder") ?? place;
}
