import { readCatalogueFile } from "@wye/vehicle-catalogue/server";
import { createVehicleBrowser, dataFile } from "@wye-examples/vehicle-browser";
import { banner } from "./banner.js";
import type { Leg } from "./leg.js";

/** The catalogue of electric vehicles, with its page, on the open data that come with the example. */
export async function vehiclesLeg(): Promise<Leg> {
  const catalogue = await readCatalogueFile(dataFile);
  return {
    id: "vehicles",
    title: "Vehicles",
    summary:
      "A catalogue of electric vehicles as a documented JSON:API, with fuzzy search, and a typed client that cannot be misused.",
    packages: ["@wye/vehicle-catalogue"],
    install: "@wye/vehicle-catalogue",
    links: [
      { label: "Find a car", path: "/vehicles/" },
      { label: "The API, described", path: "/vehicles/api.html" },
    ],
    handler: createVehicleBrowser({ catalogue, prefix: "/vehicles", banner }),
  };
}
