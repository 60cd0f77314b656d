import { html } from "@wye-examples/page-parts/elements";

/** A field to choose from. Values are the positions in the list. */
export function choice(
  attributes: Readonly<Record<string, string>>,
  labels: readonly string[],
): HTMLSelectElement {
  const options = labels.map((label, at) => html("option", { value: String(at) }, label));
  return html("select", attributes, ...options);
}

const paths = {
  fine: "M4 10.5 8.2 14.5 16 6",
  waiting: "M5 10h.01M10 10h.01M15 10h.01",
  trouble: "M10 4.5v7M10 15.2h.01",
  failed: "M5.5 5.5l9 9M14.5 5.5l-9 9",
} as const;

/** Which sign stands beside a state: a tick, three dots, an exclamation mark or a cross. */
export type Sign = keyof typeof paths;

/** The drawing of a sign. What it means stands beside it in words. */
export function icon(sign: Sign): SVGElement {
  const space = "http://www.w3.org/2000/svg";
  const drawing = document.createElementNS(space, "svg");
  for (const [name, value] of [
    ["viewBox", "0 0 20 20"],
    ["class", `sign ${sign}`],
    ["aria-hidden", "true"],
  ] as const) {
    drawing.setAttribute(name, value);
  }
  const path = document.createElementNS(space, "path");
  path.setAttribute("d", paths[sign]);
  drawing.append(path);
  return drawing;
}
