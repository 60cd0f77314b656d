import type { UpstreamAnswer, UpstreamDispatcher, UpstreamRequest } from "../options/resolved-sections.js";
import { discard } from "./discard.js";

const maxRedirects = 5;
/** What says where a request is to be made instead. To a post, 303 says that it was taken and where to read more. */
const moved: ReadonlySet<number> = new Set([301, 302, 307, 308]);

/**
 * Asks upstream, and follows up to five redirects: posts stay posts, since as the GET that browsers make of some they would lose
 * their events in silence.
 *
 * @throws when a request with a key is sent to another origin: it must not go there with its key, and what the other says to a
 * request without one, such as a login page's 401, would be taken for what upstream says of the key
 */
export async function askUpstream(
  dispatcher: UpstreamDispatcher,
  url: string,
  question: Omit<UpstreamRequest, "origin" | "path">,
): Promise<UpstreamAnswer> {
  let place = new URL(url);
  for (let redirects = 0; ; redirects++) {
    const { origin, pathname, search } = place;
    const answer = await dispatcher.request({ ...question, origin, path: pathname + search });
    const next = redirects < maxRedirects ? placeOf(answer, place) : undefined;
    if (next === undefined) return answer;
    void discard(answer.body, question.signal);
    if (next.origin !== origin && hasKey(question.headers))
      throw new Error(
        `${origin} sends to ${next.origin}, where keys do not go along: is that the address to set?`,
      );
    place = next;
  }
}

/** Where an answer sends the request. */
function placeOf({ statusCode, headers: { location } }: UpstreamAnswer, from: URL): URL | undefined {
  if (!moved.has(statusCode) || typeof location !== "string" || !URL.canParse(location, from))
    return undefined;
  const place = new URL(location, from);
  return /^https?:$/.test(place.protocol) ? place : undefined;
}

function hasKey(headers: UpstreamRequest["headers"]): boolean {
  return Object.keys(headers).some((name) => name.toLowerCase() === "authorization");
}
