import { visibleText } from "../visible-text.js";

/** Markup that is complete: what `text` and `tag` return. */
export type Markup = string & { readonly markup: unique symbol };

/** A text as markup: nothing in it means anything, and what cannot be seen is shown as its number. */
export function text(value: string): Markup {
  return escaped(value.split("\n").map(visibleText).join("\n"));
}

/** An element. Attributes that are undefined are left out; a class, a name or a text of the user cannot leave its place. */
export function tag(
  name: string,
  attributes: Readonly<Record<string, string | number | true | undefined>>,
  ...content: readonly (Markup | undefined)[]
): Markup {
  let open = name;
  for (const [key, value] of Object.entries(attributes)) {
    if (value !== undefined)
      open += value === true ? ` ${key}` : ` ${key}="${escaped(visibleText(String(value)))}"`;
  }
  return asMarkup(`<${open}>${content.filter((one) => one !== undefined).join("")}</${name}>`);
}

/** Pieces of markup after each other. */
export function join(pieces: readonly Markup[]): Markup {
  return asMarkup(pieces.join(""));
}

/** Markup that this package has written itself. */
export function asMarkup(written: string): Markup {
  return written as Markup;
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

function escaped(value: string): Markup {
  return asMarkup(value.replace(/[&<>"']/g, (character) => entities[character] ?? ""));
}
