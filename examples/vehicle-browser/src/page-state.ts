/** What the list may be ordered by. */
export const orders = {
  name: "Name, or best match",
  range: "Range, longest first",
  battery: "Battery, largest first",
  consumption: "Consumption, least first",
  power: "DC power, highest first",
  year: "Year, newest first",
} as const;

export type Order = keyof typeof orders;

/** What the page shows; the part of its address after the `#` says so. */
export interface PageState {
  /** The id of the vehicle that is shown; empty: the page chooses one. */
  readonly vehicle: string;
  /** The id of the vehicle beside it; empty: none. */
  readonly compared: string;
  readonly text: string;
  /** The id of the only brand that is listed; empty: all. */
  readonly brand: string;
  readonly order: Order;
}

/** The catalogue refuses longer texts, the field takes none, and no id is longer. */
const longestText = 200;

/** Reads an address. There is no wrong one: what means nothing is left out. A bare id, as of old, is a vehicle. */
export function readState(hash: string): PageState {
  const text = hash.replace(/^#/, "");
  const parameters = new URLSearchParams(text.includes("=") ? text : { vehicle: decoded(text) });
  const given = (name: string): string => (parameters.get(name)?.trim() ?? "").slice(0, longestText).trim();
  const order = given("order");
  return {
    vehicle: given("vehicle"),
    compared: given("with"),
    text: given("q"),
    brand: given("brand"),
    order: isOrder(order) ? order : "name",
  };
}

/** Writes an address; what is as usual is left out. */
export function writeState({ vehicle, compared, text, brand, order }: PageState): string {
  const members = { vehicle, with: compared, q: text, brand, order: order === "name" ? "" : order };
  const parameters = new URLSearchParams(Object.entries(members).filter(([, value]) => value !== ""));
  return `#${parameters}`;
}

function isOrder(text: string): text is Order {
  return Object.hasOwn(orders, text);
}

/** Half an escape, as of an address that was cut, stays as it is. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
