/** Where in a collection a page is. */
export interface PageState {
  readonly pageNumber: number;
  readonly pageSize: number;
  readonly overallCount: number;
}

/** A longer query is echoed only where a client needs it to go on: an answer must not be many times its request. */
const longestEcho = 2000;

/**
 * Links to the other pages, as JSON text: relative to the path of the request, so that they hold behind any prefix and
 * proxy, with all other parameters as they were given. Without rows there is no last page.
 */
export function paginationLinks(
  resource: string,
  search: string,
  { pageNumber, pageSize, overallCount }: PageState,
): string {
  const lastPage = Math.ceil(overallCount / pageSize);
  const given = escapeQuery(search);
  const others = withoutPageNumber(given);
  const start = `${resource}?${others}${others === "" ? "" : "&"}page%5Bnumber%5D=`;
  const members: string[] = [];
  // What is escaped is ASCII without quotes and backslashes: JSON has nothing to add.
  const add = (name: string, link: string): void => void members.push(`"${name}":"${link}"`);
  const isShort = search.length <= longestEcho;
  if (isShort) {
    add("self", given === "" ? resource : `${resource}?${given}`);
    add("first", `${start}1`);
  }
  if (pageNumber > 1 && lastPage > 0) add("prev", start + Math.min(pageNumber - 1, lastPage));
  if (pageNumber < lastPage) add("next", start + (pageNumber + 1));
  if (isShort && lastPage > 0) add("last", start + lastPage);
  return `{${members.join(",")}}`;
}

/** An escape that is none, or not in capitals. */
const otherEscape = /%(?![0-9A-F]{2})/;

/** What may stay as it is, and brackets: the names of parameters have these, and most queries have nothing else to escape. */
const plain = /^[A-Za-z0-9\-._~!$&'()*+,;=:@/?%[\]]*$/;

/** Escapes what a URI may not have in its query, brackets too; what is escaped already stays so, in capitals. */
function escapeQuery(search: string): string {
  const whole =
    search.includes("%") && otherEscape.test(search)
      ? search.replace(/%([0-9A-Fa-f]{2})?/g, (found, digits?: string) =>
          digits === undefined ? "%25" : found.toUpperCase(),
        )
      : search;
  if (plain.test(whole)) return whole.replaceAll("[", "%5B").replaceAll("]", "%5D");
  return whole
    .toWellFormed()
    .replace(/[^A-Za-z0-9\-._~!$&'()*+,;=:@/?%]+/g, (text) => encodeURIComponent(text));
}

function withoutPageNumber(escaped: string): string {
  const kept: string[] = [];
  for (const pair of escaped.split("&")) {
    if (pair === "") continue;
    const equals = pair.indexOf("=");
    if (!isPageNumber(equals < 0 ? pair : pair.slice(0, equals))) kept.push(pair);
  }
  return kept.join("&");
}

/** How the page number is called, escaped and not. */
const [usualName, pageNumber] = ["page%5Bnumber%5D", "page[number]"];

/** An escape of anything but a bracket. */
const unusualEscape = /%(?!5[BD])/;

/** Whether an escaped name is that of the page number. There may be thousands of names, and few can be it. */
function isPageNumber(name: string): boolean {
  if (name === usualName) return true;
  if (name.length > pageNumber.length * 3 || !unusualEscape.test(name)) return false;
  return new URLSearchParams(name).has(pageNumber);
}
