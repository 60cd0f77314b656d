import { paths } from "../protocol.js";
import { check, checkObject } from "./check.js";
import { clientSettings } from "./client-settings.js";
import { callStarter, fetchDocument } from "./fetch-document.js";
import { overallCountOf } from "./json-api-document.js";
import { eachPage, eachVehicle, onePage } from "./read-vehicles.js";
import { resolveBrands } from "./resolve-vehicles.js";
import type { VehicleClient } from "./vehicle-client.js";
import type { VehicleClientOptions } from "./vehicle-client-options.js";
import type { VehicleReading } from "./vehicle-pages.js";
import type { VehiclesRequest } from "./vehicle-requests.js";
import { vehiclesQuery } from "./vehicles-query.js";

/** A client for one catalogue and one key. It holds nothing that must be closed. */
export function createVehicleClient(options: VehicleClientOptions): VehicleClient {
  const settings = clientSettings(options);

  /** Checks a request at once, so that a wrong one fails where it is made. */
  function reading(request: VehiclesRequest): VehicleReading {
    checkObject(request, "request");
    const { q, filter, fields, sort, size, number, ...callOptions } = request;
    return { query: vehiclesQuery(request), startCall: callStarter(callOptions, settings), settings };
  }

  return {
    vehicles: (request = {}) => eachVehicle(reading(request)),

    pages: (request = {}) => eachPage(reading(request)),

    page: async (request = {}) => onePage(reading(request)),

    async search(text, request = {}) {
      check(typeof text === "string", "search needs a text");
      checkObject(request, "request");
      return onePage(reading({ ...request, q: text }));
    },

    async byId(id, request = {}) {
      check(typeof id === "string", "byId needs a text");
      checkObject(request, "request");
      const { vehicles } = await onePage(reading({ ...request, filter: { id: [id] } }));
      return vehicles[0];
    },

    async brands(request = {}) {
      checkObject(request, "request");
      const call = callStarter(request, settings)();
      const { document } = await fetchDocument(`${settings.baseUrl}${paths.brands}`, call, settings);
      return { brands: resolveBrands(document), overallCount: overallCountOf(document), document };
    },
  };
}
