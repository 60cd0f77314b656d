import type { FetchedVehicle } from "@wye/vehicle-catalogue/client";
import { html } from "@wye-examples/page-parts/elements";
import { chargingMinutes, formatMinutes } from "../charging-time.js";
import { chargingPlot } from "./charging-plot.js";
import { nameOf } from "./vehicle-name.js";

/** The span of the charging times, in percent. */
const span = [10, 80] as const;

/** Everything about one vehicle. */
export function detailCard(vehicle: FetchedVehicle): readonly HTMLElement[] {
  const { brand, model, variant } = nameOf(vehicle);
  const kind = vehicle.type === "motorbike" ? "Motorbike" : "Car";
  const drive = vehicle.ev_type === "phev" ? "plug-in hybrid" : "full electric";
  const year = vehicle.release_year === null ? [] : [String(vehicle.release_year)];
  return [
    html("p", { class: "kind" }, [kind, drive, ...year].join(" · ")),
    html("h2", {}, `${brand} ${model}`.trim()),
    ...(variant === "" ? [] : [html("p", { class: "variant" }, variant)]),
    facts(vehicle),
    ...charging(vehicle),
  ];
}

function facts(vehicle: FetchedVehicle): HTMLElement {
  const dc = vehicle.dc_max_power;
  const rows: readonly (readonly [name: string, value: string])[] = [
    ["Usable battery", `${vehicle.usable_battery_size} kWh`],
    ["Consumption", `${vehicle.energy_consumption.average_consumption} kWh/100 km`],
    [
      "AC",
      `${vehicle.ac_max_power} kW, ${vehicle.ac_phases} ${vehicle.ac_phases === 1 ? "phase" : "phases"}${ports(vehicle.ac_ports)}`,
    ],
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

function charging(vehicle: FetchedVehicle): readonly HTMLElement[] {
  const curve = vehicle.dc_charging_curve ?? [];
  const times = chargingTimes(vehicle);
  return [
    html("h3", {}, "Charging"),
    ...(curve.length > 0
      ? [chargingPlot({ curve, isDefault: vehicle.dc_default_charging_curve, span })]
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
