/**
 * How long a response asks to be left alone, in milliseconds: `Retry-After` as seconds or as a date. A date is compared with the
 * response's own `Date` where it can be read, so that a wrong clock on this side does not matter.
 */
export function parseRetryAfter(headers: Headers, now: number): number | undefined {
  const value = headers.get("retry-after") ?? "";
  if (/^\d{1,15}$/.test(value)) return Number(value) * 1000;
  const waitMs = parseHttpDate(value) - (parseHttpDate(headers.get("date") ?? "") || now);
  return waitMs >= 0 ? waitMs : undefined;
}

/** The oldest of the three forms of an HTTP date names no zone and means GMT all the same. */
function parseHttpDate(text: string): number {
  return Date.parse(/gmt$/i.test(text) ? text : `${text} GMT`);
}
