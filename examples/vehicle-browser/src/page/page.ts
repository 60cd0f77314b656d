import { type Brand, createVehicleClient, VehicleClientError } from "@wye/vehicle-catalogue/client";
import { byId, html } from "@wye-examples/page-parts/elements";
import { countText } from "../count-text.js";
import { figureOf, inOrder, type ListedVehicle, mostTelling } from "../listed-vehicle.js";
import { pageKey } from "../page-key.js";
import { orders, type PageState, readState, writeState } from "../page-state.js";
import { createDetail } from "./detail.js";
import { createResultList } from "./result-list.js";
import { readList, search, type VehicleList } from "./vehicle-source.js";

const input = byId("search", HTMLInputElement);
const brandSelect = byId("brand", HTMLSelectElement);
const orderSelect = byId("order", HTMLSelectElement);
const count = byId("count", HTMLElement);
// Relative to the page, so that both may be mounted anywhere.
const client = createVehicleClient({
  baseUrl: new URL(".", location.href).href,
  apiKey: pageKey,
  cache: true,
});
const list = createResultList(input, byId("results", HTMLElement), choose);
const detail = createDetail(client, byId("detail", HTMLElement), byId("shown", HTMLElement), {
  compare: (isPicking) => list.markPicking(isPicking),
  remove: (id) => go(withoutVehicle(id)),
  complain,
});
const brands = new Map<string, Brand>();

let state: PageState = readState(location.hash);
/** The whole catalogue, as far as it was read. */
let all: VehicleList = { vehicles: [], overallCount: 0 };

/** Ends the request whose answer nobody waits for any more. */
let outdated = new AbortController();

/** Lists what the state asks for. */
async function find(): Promise<void> {
  outdated.abort();
  outdated = new AbortController();
  const { signal } = outdated;
  const { text, brand: brandId } = state;
  const brand = brands.get(brandId);
  try {
    const whole = await listOf(brand, signal);
    if (text === "") {
      show(whole.vehicles, text, { overall: whole.overallCount, brand: brand?.name, match: "none" });
    } else {
      const { vehicles, isCut } = await search(client, text, brand, signal);
      show(vehicles, text, {
        overall: whole.overallCount,
        brand: brand?.name,
        match: isCut ? "cut" : "whole",
      });
    }
  } catch (error) {
    if (!signal.aborted) complain(error);
  }
}

type Shown = Omit<Parameters<typeof countText>[0], "shown">;

function show(vehicles: readonly ListedVehicle[], text: string, shown: Shown): void {
  const results = inOrder(vehicles, state.order).map((vehicle) => {
    const { id, title, variant, year } = vehicle;
    const subtitle = [variant, year === null ? "" : String(year)].filter((part) => part !== "").join(" · ");
    return { id, title, subtitle, figure: figureOf(vehicle, state.order) };
  });
  list.show(results, "Nothing like it in the catalogue.", text);
  list.markChosen(detail.shownIds());
  count.textContent = countText({ ...shown, shown: results.length });
}

/** All vehicles of a brand: out of the whole list where that is there, and otherwise from the catalogue. */
async function listOf(brand: Brand | undefined, signal: AbortSignal): Promise<VehicleList> {
  if (brand === undefined) return all;
  if (all.vehicles.length === all.overallCount) {
    const vehicles = all.vehicles.filter(({ brandId }) => brandId === brand.id);
    return { vehicles, overallCount: vehicles.length };
  }
  let read: VehicleList = { vehicles: [], overallCount: 0 };
  for await (const list of readList(client, brand, signal)) read = list;
  return read;
}

/** Shows the vehicles that the state names, or one of the page's own choice. */
async function showVehicles(): Promise<void> {
  const first = state.vehicle === "" ? (mostTelling(all.vehicles)?.id ?? "") : state.vehicle;
  const ids = [first, state.compared].filter((id, place) => id !== "" && (place === 0 || id !== first));
  await detail.show(ids);
  list.markChosen(detail.shownIds());
}

/** A vehicle of the list takes the place of the first one, or stands beside it when that was asked for. */
function choose(id: string): void {
  const [first = ""] = detail.shownIds();
  if (detail.isPicking() && id !== first) go({ ...state, vehicle: first, compared: id });
  else go({ ...state, vehicle: id, compared: id === state.compared ? "" : state.compared });
}

function withoutVehicle(id: string): PageState {
  const [left = ""] = detail.shownIds().filter((other) => other !== id);
  return { ...state, vehicle: left, compared: "" };
}

/** A step that the back button takes back. */
function go(next: PageState): void {
  state = next;
  history.pushState(null, "", writeState(state));
  void showVehicles();
}

/** A change that needs no step of its own, of a control that shows it already. */
function refine(change: Partial<PageState>): void {
  state = { ...state, ...change };
  history.replaceState(null, "", writeState(state));
  if (isRead) void find();
  else begin();
}

/** Puts the controls where the address says they are, and shows what it says. */
async function follow(): Promise<void> {
  clearTimeout(pause);
  state = readState(location.hash);
  placeControls();
  await Promise.all([find(), showVehicles()]);
}

function complain(error: unknown): void {
  const reason = error instanceof VehicleClientError ? error.code.replaceAll("_", " ") : String(error);
  count.textContent = `The catalogue does not answer (${reason}).`;
}

function placeControls(): void {
  input.value = state.text;
  brandSelect.value = brands.has(state.brand) ? state.brand : "";
  orderSelect.value = state.order;
}

/** Whether the whole list is there; what fails at first is tried again with the next thing that is done. */
let isRead = false;
let starting: Promise<void> | undefined;

function begin(): void {
  if (starting !== undefined) return;
  starting = start()
    .catch(complain)
    .finally(() => {
      starting = undefined;
    });
}

async function start(): Promise<void> {
  const answer = await client.brands();
  for (const brand of answer.brands.filter(({ id }) => !brands.has(id))) {
    brands.set(brand.id, brand);
    brandSelect.append(html("option", { value: brand.id }, brand.name));
  }
  brandSelect.value = brands.has(state.brand) ? state.brand : "";
  // A vehicle that the address names need not wait for the list.
  if (state.vehicle !== "") void showVehicles();
  for await (const read of readList(client, undefined)) {
    all = read;
    if (state.text === "" && state.brand === "") await find();
  }
  isRead = true;
  if (all.vehicles.length === all.overallCount) tellBrandCounts();
  // What is shown already stays as it is: the reader may be about to choose the second one.
  await Promise.all([find(), detail.shownIds().length > 0 ? undefined : showVehicles()]);
}

function tellBrandCounts(): void {
  const counts = new Map<string, number>();
  for (const { brandId } of all.vehicles) counts.set(brandId, (counts.get(brandId) ?? 0) + 1);
  for (const option of brandSelect.options) {
    const brand = brands.get(option.value);
    if (brand !== undefined) option.textContent = `${brand.name} (${counts.get(brand.id) ?? 0})`;
  }
}

/** Long enough to skip the letters in between, too short to be noticed. */
const pauseMs = 80;
let pause: ReturnType<typeof setTimeout> | undefined;
input.addEventListener("input", () => {
  clearTimeout(pause);
  pause = setTimeout(() => refine({ text: input.value.trim() }), pauseMs);
});
brandSelect.addEventListener("change", () => refine({ brand: brandSelect.value }));
orderSelect.addEventListener("change", () =>
  refine({ order: readState(`#order=${orderSelect.value}`).order }),
);
addEventListener("popstate", () => void follow());
for (const [value, label] of Object.entries(orders)) orderSelect.append(html("option", { value }, label));
placeControls();
begin();
