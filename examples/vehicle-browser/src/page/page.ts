import { type Brand, createVehicleClient, VehicleClientError } from "@wye/vehicle-catalogue/client";
import { byId, html } from "@wye-examples/page-parts/elements";
import { pageKey } from "../page-key.js";
import { detailCard } from "./detail-card.js";
import { createResultList, type Result } from "./result-list.js";
import { nameOf } from "./vehicle-name.js";

const input = byId("search", HTMLInputElement);
const select = byId("brand", HTMLSelectElement);
const detail = byId("detail", HTMLElement);
const count = byId("count", HTMLElement);
// Relative to the page, so that both may be mounted anywhere.
const client = createVehicleClient({
  baseUrl: new URL(".", location.href).href,
  apiKey: pageKey,
  cache: true,
});
const list = createResultList(input, byId("results", HTMLElement), (id) => void show(id));
const fields = ["model", "variant", "release_year", "manufacturer"] as const;
const brands = new Map<string, Brand>();

/** Ends the request whose answer nobody waits for any more. */
let outdated = new AbortController();

async function find(): Promise<void> {
  outdated.abort();
  outdated = new AbortController();
  const { signal } = outdated;
  const text = input.value.trim();
  const brand = brands.get(select.value);
  try {
    const { vehicles, overallCount } = await ask(text, brand, signal);
    const results = vehicles.map((vehicle): Result => {
      const { brand: brandName, model, variant } = nameOf(vehicle);
      const year = vehicle.release_year === null ? [] : [String(vehicle.release_year)];
      return {
        id: vehicle.id,
        title: `${brandName} ${model}`.trim(),
        subtitle: [...(variant === "" ? [] : [variant]), ...year].join(" · "),
      };
    });
    list.show(results, "Nothing like it in the catalogue.");
    count.textContent = `${overallCount ?? vehicles.length} ${overallCount === 1 ? "vehicle" : "vehicles"}`;
  } catch (error) {
    if (!signal.aborted) complain(error);
  }
}

/** The API has search or filters; with both, the brand goes into the text and the results are held to it. */
async function ask(text: string, brand: Brand | undefined, signal: AbortSignal) {
  const request = { fields: { car: fields, motorbike: fields }, signal } as const;
  if (text === "") {
    return client.page({
      ...request,
      ...(brand === undefined ? {} : { filter: { manufacturerId: [brand.id] } }),
    });
  }
  if (brand === undefined) return client.search(text, request);
  const { vehicles } = await client.search(`${brand.name} ${text}`, request);
  const own = vehicles.filter(({ manufacturer }) => manufacturer?.id === brand.id);
  return { vehicles: own, overallCount: own.length };
}

/** The last vehicle that was asked for; answers for others come too late. */
let wanted = "";

async function show(id: string): Promise<void> {
  wanted = id;
  history.replaceState(null, "", `#${encodeURIComponent(id)}`);
  try {
    const vehicle = await client.byId(id);
    if (wanted !== id) return;
    detail.replaceChildren(
      ...(vehicle === undefined
        ? [html("p", { class: "hint" }, "This vehicle is no longer in the catalogue.")]
        : detailCard(vehicle)),
    );
    detail.setAttribute("data-shown", id);
  } catch (error) {
    complain(error);
  }
}

function complain(error: unknown): void {
  const reason = error instanceof VehicleClientError ? error.code.replaceAll("_", " ") : String(error);
  count.textContent = `The catalogue does not answer (${reason}).`;
}

async function start(): Promise<void> {
  const chosen = decodeURIComponent(location.hash.slice(1));
  await Promise.all([
    find(),
    chosen === "" ? undefined : show(chosen),
    client.brands().then((answer) => {
      for (const brand of answer.brands) {
        brands.set(brand.id, brand);
        select.append(html("option", { value: brand.id }, brand.name));
      }
    }, complain),
  ]);
}

/** Long enough to skip the letters in between, too short to be noticed. */
const pauseMs = 80;
let pause: ReturnType<typeof setTimeout> | undefined;
input.addEventListener("input", () => {
  clearTimeout(pause);
  pause = setTimeout(() => void find(), pauseMs);
});
select.addEventListener("change", () => void find());
void start();
