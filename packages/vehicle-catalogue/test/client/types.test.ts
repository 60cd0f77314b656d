import { describe, expect, expectTypeOf, test } from "vitest";
import {
  type Brand,
  createVehicleClient,
  type FetchedCar,
  type FetchedManufacturer,
  type FetchedMotorbike,
  type FetchedVehicle,
  isVehicleClientError,
  type RawDocument,
  type UnresolvedBrand,
  type VehicleClient,
  VehicleClientError,
  type VehicleClientErrorCode,
  type VehicleField,
  type VehiclePage,
  type VehiclesRequest,
  type WithheldAttributeName,
} from "../../src/client/index.js";
import { type Vehicle, withheldAttributes } from "../../src/index.js";

// What stands here is checked by `tsc`: a wrong call that compiles, and a right one that does not, break the build.
// Nothing is sent: the calls stand in functions that nobody calls.

declare const client: VehicleClient;
declare const chance: boolean;
declare const anyFields: VehicleField[];

type Item<Items> = Items extends AsyncIterable<infer Each> ? Each : never;

describe("the types of results", () => {
  test("without fields, a vehicle has all that the contract promises", () => {
    const call = () => client.page();
    type Result = Awaited<ReturnType<typeof call>>;
    expectTypeOf<Result>().toEqualTypeOf<VehiclePage<FetchedVehicle>>();
    type Complete = Omit<Vehicle, WithheldAttributeName | "manufacturer" | "type">;
    expectTypeOf<Result["vehicles"][number]>().toExtend<Complete>();
    expectTypeOf<FetchedVehicle>().toHaveProperty("release_year").toEqualTypeOf<number | null>();
    expectTypeOf<Result["document"]>().toEqualTypeOf<RawDocument>();
    expectTypeOf<Result["overallCount"]>().toEqualTypeOf<number | undefined>();
  });

  test("the attributes that some keys do not see may be missing", () => {
    expectTypeOf<FetchedCar["dc_charging_curve"]>().extract<undefined>().toEqualTypeOf<undefined>();
    expectTypeOf<FetchedCar["ac_power_per_charging_point"]>().extract<undefined>().toEqualTypeOf<undefined>();
    const withheld: readonly WithheldAttributeName[] = ["ac_power_per_charging_point", "dc_charging_curve"];
    expect(withheld).toEqual(withheldAttributes);
  });

  test("fields narrow each type on its own", () => {
    const call = () => client.vehicles({ fields: { car: ["model", "variant"] } });
    type Result = Item<ReturnType<typeof call>>;
    expectTypeOf<Result>().toEqualTypeOf<
      | { readonly id: string; readonly type: "car"; readonly model: string; readonly variant: string }
      | FetchedMotorbike
    >();
    expectTypeOf<Result["model"]>().toEqualTypeOf<string>();
    // @ts-expect-error a car has no other field now
    expectTypeOf<Result["release_year"]>();
  });

  test("both types can be narrowed, each in its way", () => {
    const call = () => client.search("zoe", { fields: { car: ["release_year"], motorbike: ["dc_ports"] } });
    type Result = Awaited<ReturnType<typeof call>>["vehicles"][number];
    expectTypeOf<Result>().toEqualTypeOf<FetchedCar<["release_year"]> | FetchedMotorbike<["dc_ports"]>>();
    expectTypeOf<Extract<Result, { type: "car" }>>().toEqualTypeOf<{
      readonly id: string;
      readonly type: "car";
      readonly release_year: number | null;
    }>();
  });

  test("id and type may be listed and change nothing; an empty list leaves nothing else", () => {
    type Bare = { readonly id: string; readonly type: "car" };
    expectTypeOf<FetchedCar<["id", "type"]>>().toEqualTypeOf<Bare>();
    expectTypeOf<FetchedCar<[]>>().toEqualTypeOf<Bare>();
    const call = () => client.byId("1", { fields: { car: [], motorbike: [] } });
    type Result = Awaited<ReturnType<typeof call>>;
    expectTypeOf<Result>().toEqualTypeOf<FetchedCar<[]> | FetchedMotorbike<[]> | undefined>();
  });

  test("a list that is known only at run time promises nothing", () => {
    const call = () => client.page({ fields: { car: anyFields, motorbike: anyFields } });
    type Result = Awaited<ReturnType<typeof call>>["vehicles"][number];
    expectTypeOf<Result["model"]>().toEqualTypeOf<string | undefined>();
    const either = () => client.page({ fields: { car: [chance ? "model" : "variant", "ev_type"] } });
    type Either = Extract<Awaited<ReturnType<typeof either>>["vehicles"][number], { type: "car" }>;
    expectTypeOf<Either["model"]>().toEqualTypeOf<string | undefined>();
    expectTypeOf<Either["ev_type"]>().toEqualTypeOf<Vehicle["ev_type"]>();
    expectTypeOf<FetchedCar<readonly ["model"] | undefined>>().toEqualTypeOf<
      FetchedCar<["model"]> | FetchedCar
    >();
  });

  test("a request that is held in a variable of its own type works, and promises nothing", () => {
    const request: VehiclesRequest = { fields: { car: ["model"] }, filter: { id: ["1"] }, size: 5 };
    const call = () => client.page(request);
    type Result = Awaited<ReturnType<typeof call>>["vehicles"][number];
    expectTypeOf<Result["variant"]>().toEqualTypeOf<string | undefined>();
  });

  test("type tells cars from motorbikes", () => {
    const call = () => client.vehicles({ fields: { car: ["model"], motorbike: ["dc_max_power"] } });
    const read = (vehicle: Item<ReturnType<typeof call>>): number | string | null => {
      switch (vehicle.type) {
        case "car":
          return vehicle.model;
        case "motorbike":
          return vehicle.dc_max_power;
      }
    };
    expect(read({ id: "1", type: "car", model: "ID.3" })).toBe("ID.3");
  });

  test("the manufacturer has a name where it was resolved, and may be null", () => {
    expectTypeOf<FetchedCar["manufacturer"]>().toEqualTypeOf<Brand | UnresolvedBrand | null>();
    expectTypeOf<FetchedCar["manufacturer"]>().toEqualTypeOf<FetchedManufacturer>();
    const read = ({ manufacturer }: FetchedVehicle): string => {
      // @ts-expect-error there may be no manufacturer
      void (() => manufacturer.id);
      // @ts-expect-error there may be no name
      const name: string = manufacturer?.name ?? undefined;
      return name ?? manufacturer?.name ?? manufacturer?.id ?? "";
    };
    expect(read).toBeTypeOf("function");
    expectTypeOf<NonNullable<FetchedCar<["manufacturer"], []>["manufacturer"]>>()
      .exclude<UnresolvedBrand>()
      .toEqualTypeOf<never>();
  });

  test("texts of the operator stay open to new values, and values stay readonly", () => {
    expectTypeOf<string>().toExtend<FetchedCar["ev_type"]>();
    const change = (car: FetchedCar) => {
      // @ts-expect-error results are not for changing
      car.model = "other";
      // @ts-expect-error nor are the lists in them
      car.dc_ports.push("ccs");
    };
    expect(change).toBeTypeOf("function");
  });

  test("errors have closed codes", () => {
    expectTypeOf<VehicleClientError["code"]>().toEqualTypeOf<VehicleClientErrorCode>();
    const read = (error: unknown) => (isVehicleClientError(error) ? error.errors[0]?.detail : undefined);
    expectTypeOf(read).returns.toEqualTypeOf<string | undefined>();
    expect(read(new Error("other"))).toBeUndefined();
  });
});

describe("wrong calls do not compile", () => {
  test("search and filters", () => {
    const calls = [
      // @ts-expect-error q cannot be combined with filter
      () => client.page({ q: "vw", filter: { id: ["1"] } }),
      // @ts-expect-error not even with an empty one
      () => client.vehicles({ q: "vw", filter: {} }),
      // @ts-expect-error nor in pages()
      () => client.pages({ filter: { manufacturerId: ["1"] }, q: "vw" }),
      // @ts-expect-error search() has its text already
      () => client.search("vw", { q: "vw" }),
      // @ts-expect-error and takes no filter
      () => client.search("vw", { filter: { id: ["1"] } }),
      // @ts-expect-error a search needs a text
      () => client.search(),
      // @ts-expect-error a text is no list
      () => client.page({ filter: { id: "1" } }),
      // @ts-expect-error there is no such filter
      () => client.page({ filter: { brand: ["1"] } }),
      // @ts-expect-error ids are texts
      () => client.page({ filter: { id: [1] } }),
      // @ts-expect-error byId() has its filter already
      () => client.byId("1", { filter: { manufacturerId: ["1"] } }),
      // @ts-expect-error brands() cannot be filtered
      () => client.brands({ filter: { id: ["1"] } }),
    ];
    expect(calls).toHaveLength(11);
  });

  test("fields", () => {
    const calls = [
      // @ts-expect-error an unknown field
      () => client.page({ fields: { car: ["modell"] } }),
      // @ts-expect-error an unknown field beside known ones
      () => client.vehicles({ fields: { car: ["model", "variant", "colour"] } }),
      // @ts-expect-error an unknown field of the other type
      () => client.search("vw", { fields: { car: ["model"], motorbike: ["model", "engine"] } }),
      // @ts-expect-error fields are top-level names
      () => client.page({ fields: { car: ["energy_consumption.average_consumption"] } }),
      // @ts-expect-error an unknown type
      () => client.page({ fields: { truck: ["model"] } }),
      // @ts-expect-error an unknown type beside a known one
      () => client.byId("1", { fields: { car: ["model"], truck: ["model"] } }),
      // @ts-expect-error brands have a name and nothing else
      () => client.page({ fields: { vehicle_brand: ["logo"] } }),
      // @ts-expect-error a text is no list
      () => client.page({ fields: { car: "model" } }),
    ];
    expect(calls).toHaveLength(8);
  });

  test("options", () => {
    const calls = [
      // @ts-expect-error an unknown member of a request
      () => client.page({ limit: 10 }),
      // @ts-expect-error a size is a number
      () => client.page({ size: "10" }),
      // @ts-expect-error a page number belongs to no single vehicle
      () => client.byId("1", { number: 2 }),
      // @ts-expect-error an id is a text
      () => client.byId(1),
      // @ts-expect-error a key is needed
      () => createVehicleClient({ baseUrl: "https://example.org" }),
      // @ts-expect-error an unknown option
      () => createVehicleClient({ baseUrl: "https://example.org", apiKey: "k", timeout: 5 }),
      // @ts-expect-error true is no retry policy
      () => createVehicleClient({ baseUrl: "https://example.org", apiKey: "k", retry: true }),
      // @ts-expect-error results cannot be used without waiting for them
      () => client.page().vehicles,
      // @ts-expect-error nor iterated without waiting
      () => [...client.vehicles()],
    ];
    expect(calls).toHaveLength(9);
    expect(VehicleClientError.name).toBe("VehicleClientError");
  });
});
