/**
 * What a thing on the server is called: an id, a name, or a text. A text in the form of a UUID is taken for an id, any other for a
 * name; where both may be meant, say which.
 */
export type Reference = string | { readonly id: string } | { readonly name: string };

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** The id or the name of a reference. */
export function readReference(
  kind: string,
  reference: Reference,
): { readonly id: string } | { readonly name: string } {
  if (typeof reference === "string" && reference !== "") {
    return uuid.test(reference) ? { id: reference } : { name: reference };
  }
  if (reference instanceof Object) {
    if ("id" in reference && typeof reference.id === "string" && reference.id !== "")
      return { id: reference.id };
    if ("name" in reference && typeof reference.name === "string" && reference.name !== "") {
      return { name: reference.name };
    }
  }
  throw new TypeError(`${kind} is named by its id or its name: a text, { id } or { name }`);
}
