import type { FetchedVehicle, VehicleClient } from "@wye/vehicle-catalogue/client";
import { html } from "@wye-examples/page-parts/elements";
import { detailCard } from "./detail-card.js";
import { nameOf } from "./vehicle-name.js";

/** What the detail asks of the page. */
export interface DetailHost {
  /** The next vehicle of the list is to stand beside the present one, or no longer is. */
  compare(isPicking: boolean): void;
  /** A vehicle is to be taken away. */
  remove(id: string): void;
  complain(error: unknown): void;
}

/** One vehicle, or two side by side. */
export interface Detail {
  /** Shows these vehicles; a call that comes later wins. */
  show(ids: readonly string[]): Promise<void>;
  shownIds(): readonly string[];
  /** Whether the next vehicle is to stand beside the present one. */
  isPicking(): boolean;
}

/** Fills a part of the page, and says in a line for screen readers what it shows. */
export function createDetail(
  client: VehicleClient,
  place: HTMLElement,
  status: HTMLElement,
  host: DetailHost,
): Detail {
  let shown: readonly FetchedVehicle[] = [];
  let isPicking = false;
  let outdated = new AbortController();

  const pick = (next: boolean): void => {
    isPicking = next;
    host.compare(next);
    draw([]);
    place.querySelector<HTMLElement>(".compare")?.focus();
  };

  const draw = (missing: readonly string[]): void => {
    const top = Math.max(
      0,
      ...shown.flatMap(({ dc_charging_curve: curve = [] }) => curve.map(({ power }) => power)),
    );
    place.replaceChildren(
      ...missing.map((id) =>
        html("p", { class: "hint", role: "alert" }, `There is no vehicle “${shortened(id)}”.`),
      ),
      ...(shown.length === 0 ? [html("p", { class: "hint" }, "Choose a vehicle in the list.")] : []),
      ...(shown.length === 1 ? [compareBar(isPicking, () => pick(!isPicking))] : []),
      html(
        "div",
        { class: "cards" },
        ...shown.map((vehicle) =>
          detailCard(vehicle, {
            top,
            onRemove: shown.length > 1 ? () => host.remove(vehicle.id) : undefined,
          }),
        ),
      ),
    );
    place.setAttribute("data-shown", shown.map(({ id }) => id).join(" "));
    status.textContent = shown.length === 0 ? "" : `Showing ${shown.map(fullName).join(" and ")}`;
  };

  return {
    async show(ids) {
      outdated.abort();
      outdated = new AbortController();
      const { signal } = outdated;
      // What stands there already stays, with what the reader has opened in it.
      if (ids.length > 0 && ids.join() === shown.map(({ id }) => id).join()) return;
      try {
        const { vehicles } = await client.page({ filter: { id: ids }, signal });
        if (signal.aborted) return;
        const known = new Set(vehicles.map(({ id }) => id.toLowerCase()));
        shown = vehicles;
        if (isPicking) {
          isPicking = false;
          host.compare(false);
        }
        draw(ids.filter((id) => !known.has(id.toLowerCase())));
      } catch (error) {
        if (!signal.aborted) host.complain(error);
      }
    },
    shownIds: () => shown.map(({ id }) => id),
    isPicking: () => isPicking,
  };
}

function compareBar(isPicking: boolean, onToggle: () => void): HTMLElement {
  const button = html(
    "button",
    { type: "button", class: "compare", "aria-pressed": String(isPicking) },
    "Compare with another vehicle",
  );
  button.addEventListener("click", onToggle);
  const hint = isPicking
    ? [html("p", { class: "hint", role: "status" }, "Choose the second one in the list.")]
    : [];
  return html("div", { class: "bar" }, button, ...hint);
}

function fullName(vehicle: FetchedVehicle): string {
  const { brand, model, variant } = nameOf(vehicle);
  return `${brand} ${model} ${variant}`.trim();
}

function shortened(text: string): string {
  return text.length > 60 ? `${text.slice(0, 60)}…` : text;
}
