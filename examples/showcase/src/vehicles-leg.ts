import { readCatalogueFile } from "@wye/vehicle-catalogue/server";
import { createVehicleBrowser, dataFile } from "@wye-examples/vehicle-browser";
import type { Leg } from "./leg.js";

/** The catalogue of electric vehicles, with its page, on the open data that come with the example. */
export async function vehiclesLeg(banner: string): Promise<Leg> {
  const catalogue = await readCatalogueFile(dataFile);
  return {
    id: "vehicles",
    title: "Vehicles",
    summary:
      "A catalogue of electric vehicles as a documented JSON:API, with fuzzy search, and a typed client that cannot be misused.",
    packages: ["@wye/vehicle-catalogue", "@wye/vehicle-postgres"],
    install: "@wye/vehicle-catalogue",
    figure: {
      text: "A page of 100 vehicles that was asked for before costs 1.3 times what bare node:http takes to write the same 72 kB; requests at random, with nothing kept, cost a fifth of Fastify with json-api-serializer.",
      date: "22 November 2026",
      bench: "vehicle-catalogue router",
    },
    links: [
      { label: "Find a car", path: "/vehicles/" },
      { label: "The API, described", path: "/vehicles/api.html" },
    ],
    handler: createVehicleBrowser({ catalogue, prefix: "/vehicles", banner }),
  };
}
