/** What a list shows, of what there is. */
export interface ShownList {
  readonly shown: number;
  /** All vehicles, or all of the brand. */
  readonly overall: number;
  /** The name of the only brand that is listed. */
  readonly brand: string | undefined;
  /** A text was searched for; `cut` says that there may be more matches. */
  readonly match: "none" | "whole" | "cut";
}

/** `293 vehicles`, `the 25 best matches among 40 vehicles of BMW`: no more than what is true. */
export function countText({ shown, overall, brand, match }: ShownList): string {
  const of = brand === undefined ? "" : ` of ${brand}`;
  const all = `${counted(overall, "vehicle")}${of}`;
  if (match === "none") return shown === overall ? all : `${shown} of ${all}`;
  const matches = match === "cut" ? `the ${shown} best matches` : counted(shown, "match", "matches");
  return brand === undefined ? matches : `${matches} among ${all}`;
}

function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
