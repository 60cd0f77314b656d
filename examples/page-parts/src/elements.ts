/** An element of the page by its id; its absence is a mistake in the page itself. */
export function byId<Kind extends Element>(id: string, kind: abstract new () => Kind): Kind {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new Error(`the page has no ${kind.name} with the id ${id}`);
  return found;
}

/** Makes an element with attributes and content. Text stays text: nothing is read as HTML. */
export function html<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Readonly<Record<string, string>> = {},
  ...content: readonly (Node | string)[]
): HTMLElementTagNameMap[Tag] {
  return fill(document.createElement(tag), attributes, content);
}

/** The same for a part of a drawing. */
export function svg(
  tag: string,
  attributes: Readonly<Record<string, string | number>> = {},
  ...content: readonly (Node | string)[]
): SVGElement {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, content);
}

function fill<Made extends Element>(
  element: Made,
  attributes: Readonly<Record<string, string | number>>,
  content: readonly (Node | string)[],
): Made {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, String(value));
  element.append(...content);
  return element;
}
