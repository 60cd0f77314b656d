import type { FetchedVehicle } from "@wye/vehicle-catalogue/client";
import { html } from "@wye-examples/page-parts/elements";
import { type CurvePoint, chargingMinutes, formatMinutes } from "../charging-time.js";
import { formatKm, rangeKm } from "../listed-vehicle.js";
import { chargingPlot } from "./charging-plot.js";
import { nameOf } from "./vehicle-name.js";

/** The span of the charging times, in percent. */
const span = [10, 80] as const;

export interface DetailCardOptions {
  /** The highest power of all curves that are shown, so that they have one scale. */
  readonly top: number;
  /** Takes the vehicle away; left out where it is the only one. */
  readonly onRemove?: (() => void) | undefined;
}

/** Everything about one vehicle. */
export function detailCard(vehicle: FetchedVehicle, { top, onRemove }: DetailCardOptions): HTMLElement {
  const { brand, model, variant } = nameOf(vehicle);
  const kind = vehicle.type === "motorbike" ? "Motorbike" : "Car";
  const drive = vehicle.ev_type === "phev" ? "plug-in hybrid" : "full electric";
  const year = vehicle.release_year === null ? [] : [String(vehicle.release_year)];
  const name = `${brand} ${model}`.trim();
  return html(
    "div",
    { class: "card", role: "group", "aria-label": `${name} ${variant}`.trim() },
    html("p", { class: "kind" }, [kind, drive, ...year].join(" · ")),
    html("h2", {}, name),
    html("p", { class: "variant" }, variant),
    ...(onRemove === undefined ? [] : [removeButton(`${name} ${variant}`.trim(), onRemove)]),
    facts(vehicle),
    ...charging(vehicle, top),
  );
}

function removeButton(name: string, onRemove: () => void): HTMLElement {
  const button = html(
    "button",
    { type: "button", class: "remove", "aria-label": `Remove ${name}` },
    "Remove",
  );
  button.addEventListener("click", onRemove);
  return button;
}

function facts(vehicle: FetchedVehicle): HTMLElement {
  const { dc_max_power: dc, usable_battery_size: battery, energy_consumption: energy } = vehicle;
  const consumption = energy.average_consumption;
  const phases = `${vehicle.ac_phases} ${vehicle.ac_phases === 1 ? "phase" : "phases"}`;
  const rows: readonly (readonly [name: string, value: string])[] = [
    ["Range, from battery and consumption", formatKm(rangeKm(battery, consumption))],
    ["Usable battery", `${battery} kWh`],
    ["Consumption", `${consumption} kWh/100 km`],
    ["AC", `${vehicle.ac_max_power} kW, ${phases}${ports(vehicle.ac_ports)}`],
    ["DC", dc === null ? "none" : `${dc} kW${ports(vehicle.dc_ports)}`],
  ];
  return html(
    "dl",
    {},
    ...rows.map(([name, value]) => html("div", {}, html("dt", {}, name), html("dd", {}, value))),
  );
}

const portNames: Readonly<Record<string, string>> = {
  type1: "Type 1",
  type2: "Type 2",
  ccs: "CCS",
  chademo: "CHAdeMO",
  tesla_suc: "Tesla Supercharger",
  tesla_ccs: "Tesla CCS",
};

function ports(names: readonly string[]): string {
  return names.map((name) => `, ${portNames[name] ?? name}`).join("");
}

function charging(vehicle: FetchedVehicle, top: number): readonly HTMLElement[] {
  const curve = vehicle.dc_charging_curve ?? [];
  const times = chargingTimes(vehicle);
  return [
    html("h3", {}, "Charging"),
    ...(curve.length > 0
      ? [chargingPlot({ curve, isDefault: vehicle.dc_default_charging_curve, span, top }), curveTable(curve)]
      : [
          html(
            "p",
            { class: "no-plot" },
            "This vehicle does not charge with direct current, so there is no charging curve.",
          ),
        ]),
    html(
      "table",
      { class: "times" },
      html(
        "caption",
        {},
        `Times from ${span[0]} to ${span[1]} %${curve.length > 0 ? " (shaded above)" : ""}`,
      ),
      html(
        "tbody",
        {},
        ...times.map(({ station, time }) =>
          html("tr", {}, html("th", { scope: "row" }, station), html("td", {}, time)),
        ),
      ),
    ),
  ];
}

/** The values of the curve, for whoever wants to read them. */
function curveTable(curve: readonly CurvePoint[]): HTMLElement {
  return html(
    "details",
    {},
    html("summary", {}, `The ${curve.length} values of the curve`),
    html(
      "table",
      { class: "values" },
      html(
        "thead",
        {},
        html("tr", {}, html("th", { scope: "col" }, "Charge level"), html("th", { scope: "col" }, "Power")),
      ),
      html(
        "tbody",
        {},
        ...curve.map(({ percentage, power }) =>
          html("tr", {}, html("th", { scope: "row" }, `${percentage} %`), html("td", {}, `${power} kW`)),
        ),
      ),
    ),
  );
}

/** One row for the fastest DC station, and one for each common AC station. */
function chargingTimes(
  vehicle: FetchedVehicle,
): readonly { readonly station: string; readonly time: string }[] {
  const battery = vehicle.usable_battery_size;
  const curve = vehicle.dc_charging_curve ?? [];
  const told = (minutes: number | undefined): string =>
    minutes === undefined ? "not reached" : formatMinutes(minutes);
  const dc =
    curve.length === 0
      ? []
      : [{ station: "Fastest DC station", time: told(chargingMinutes(battery, curve, ...span)) }];
  const table = vehicle.ac_power_per_charging_point ?? {};
  const ac = ["2.3", "3.7", "11.0", "22.0"].flatMap((station) => {
    const power = table[station];
    if (power === undefined) return [];
    const minutes = chargingMinutes(battery, [{ percentage: 0, power }], ...span);
    return [{ station: `AC station of ${Number(station)} kW`, time: told(minutes) }];
  });
  return [...dc, ...ac];
}
