import { isObject } from "@wye/pipeline-spec";

/**
 * Headers with names in lower case. `fetch` would take what it refuses for a failure of the network, and repeat a value in its message.
 *
 * @param place  the option that they are
 */
export function checkedHeaders(place: string, headers: unknown): Record<string, string> {
  // `Headers` and `Map` would look as if they had none.
  if (!isObject(headers) || Symbol.iterator in headers)
    throw new TypeError(`\`${place}\` is an object of texts`);
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => {
      if (!/^[\w!#$%&'*+.^`|~-]+$/.test(name))
        throw new TypeError(`${JSON.stringify(name)} of \`${place}\` is no name of a header`);
      return [name.toLowerCase(), headerText(name, value)];
    }),
  );
}

/** A value that fits in a header. */
export function headerText(name: string, value: unknown): string {
  if (typeof value === "string" && /^[\t\x20-\x7e\x80-\xff]*$/.test(value)) return value;
  throw new TypeError(`the ${name} that was given is no text that fits in a header`);
}
