import http from "node:http";
import DevourClient from "devour-client";
import { Jsona } from "jsona";
import { deserialise } from "kitsu-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ask, fullKey, type Listening, listening, openCatalogue, openRouter } from "./listening.js";

/** What a reader made of a vehicle, as far as the readers agree on the shape. */
interface ReadVehicle {
  readonly id: string;
  readonly type: string;
  readonly model: string;
  readonly dc_charging_curve: readonly unknown[];
  readonly ac_power_per_charging_point: Readonly<Record<string, number>>;
  readonly manufacturer: {
    readonly id?: string;
    readonly name?: string;
    readonly data?: { readonly id: string; readonly name: string };
  };
}

describe("generic JSON:API clients", () => {
  let server: Listening;
  beforeAll(async () => {
    server = await listening(http.createServer(openRouter().node));
  });
  afterAll(() => server.close());
  const vehicles = openCatalogue().vehicles();
  const target = "/v2/vehicles?page%5Bnumber%5D=3";
  const expected = vehicles.slice(200);

  const check = (read: readonly ReadVehicle[]): void => {
    expect(read.map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
    for (const [place, vehicle] of expected.entries()) {
      const { type, model, dc_charging_curve, ac_power_per_charging_point, manufacturer } = read[place]!;
      expect({ type, model, dc_charging_curve, ac_power_per_charging_point }).toEqual({
        type: vehicle.type,
        model: vehicle.model,
        dc_charging_curve: vehicle.dc_charging_curve,
        ac_power_per_charging_point: vehicle.ac_power_per_charging_point,
      });
      const { id, name } = manufacturer.data ?? manufacturer;
      // One brand object shared by many vehicles has to resolve every time.
      expect({ id, name }).toEqual(vehicle.manufacturer);
    }
  };

  test("kitsu-core reads a page and its brands", async () => {
    const { json } = await ask(server.origin, target);
    const { data } = (await deserialise(json)) as { data: readonly ReadVehicle[] };
    check(data);
  });

  test("jsona reads a page and its brands", async () => {
    const { json } = await ask(server.origin, target);
    check(new Jsona().deserialize({ ...json }) as unknown as readonly ReadVehicle[]);
  });

  test("devour-client asks for a page by itself and reads it", async () => {
    const client = new DevourClient({ apiUrl: `${server.origin}/v2`, logger: false });
    client.headers["API-Key"] = fullKey;
    const attributes = { model: "", dc_charging_curve: [], ac_power_per_charging_point: {} };
    const manufacturer = { jsonApi: "hasOne", type: "vehicle_brand" };
    for (const type of ["car", "motorbike"]) {
      client.define(type, { ...attributes, manufacturer }, { collectionPath: "vehicles" });
    }
    client.define("vehicle_brand", { name: "" }, { collectionPath: "vehicle_brands" });
    const { data, meta } = await client.findAll("car", { page: { number: 3 }, include: "manufacturer" });
    expect(meta).toEqual({ overall_count: 293 });
    check(data as readonly ReadVehicle[]);
    const brands = await client.findAll("vehicle_brand");
    expect(brands.data).toHaveLength(38);
  });

  test("devour-client reports our errors as errors", async () => {
    const client = new DevourClient({ apiUrl: `${server.origin}/v2`, logger: false });
    client.headers["API-Key"] = fullKey;
    client.define("car", { model: "" }, { collectionPath: "vehicles" });
    await expect(client.findAll("car", { page: { size: 1000 } })).rejects.toEqual(
      expect.objectContaining({ "0": expect.objectContaining({ title: "invalid query parameter" }) }),
    );
  });
});
