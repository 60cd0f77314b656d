import { describe, expect, test } from "vitest";
import { goodRecord } from "../../test/good-record.js";
import { readingVehicles } from "./read-vehicles.js";
import { atOnce } from "./sliced.js";
import { type VehicleExtension, vehicleRules } from "./vehicle-rules.js";

const read = (extension: VehicleExtension, ...records: readonly object[]) =>
  atOnce(
    readingVehicles(
      records.map((record, at) => ({ ...goodRecord, id: `v${at}`, ...record })),
      vehicleRules(extension),
    ),
  );

describe("attributes that an operator adds", () => {
  test.each([0, false, "", " with blanks ", { b: [1, 1], a: 2 }])("are kept as they are: %j", (given) => {
    const { vehicles, problems, repairs } = read({ attributes: { note: {} } }, { note: given });
    expect(vehicles).toMatchObject([{ note: given }]);
    expect([problems, repairs]).toEqual([[], []]);
  });

  test("may be nested 30 levels deep", () => {
    const nested = (levels: number): unknown => JSON.parse(`${"[".repeat(levels)}${"]".repeat(levels)}`);
    const { indexes, problems } = read(
      { attributes: { note: {} } },
      { note: nested(30) },
      { note: nested(31) },
    );
    expect(indexes).toEqual([0]);
    expect(problems).toMatchObject([
      { index: 1, field: "note", message: "must not be nested deeper than 30 levels" },
    ]);
  });

  test("may be null, which their schemas say once", () => {
    const { schemas } = vehicleRules({
      attributes: {
        free: {},
        count: { type: "integer" },
        text: { type: ["string", "null"], enum: ["a", null] },
        either: { type: ["string", "number"], enum: ["a", 1] },
      },
    });
    expect([schemas.free, schemas.count, schemas.text, schemas.either]).toEqual([
      {},
      { type: ["integer", "null"] },
      { type: ["string", "null"], enum: ["a", null] },
      { type: ["string", "number", "null"], enum: ["a", 1, null] },
    ]);
  });
});

describe("open values", () => {
  const one = (length: number): string => "x".repeat(length);

  test("have 1 to 100 letters", () => {
    const lengths = [0, 1, 100, 101];
    const { indexes, problems } = read(
      { openValues: true },
      ...lengths.map((length) => ({ ev_type: one(length) })),
      ...lengths.map((length) => ({ ac_ports: [one(length)] })),
    );
    expect(indexes).toEqual([1, 2, 5, 6]);
    expect(problems.map(({ index, field, message }) => `${index} ${field} ${message}`)).toEqual([
      "0 ev_type must not be empty",
      "3 ev_type must have at most 100 characters; got 101",
      "4 ac_ports[0] must not be empty",
      "7 ac_ports[0] must have at most 100 characters; got 101",
    ]);
  });

  test("have those that are documented as their examples, and numbers stay a list", () => {
    const { schemas } = vehicleRules({ openValues: true });
    expect(schemas.ev_type).toMatchObject({ examples: ["bev", "phev"] });
    expect(schemas.ac_ports?.items).toMatchObject({ examples: ["type1", "type2"] });
    expect([schemas.ev_type?.enum, schemas.ac_ports?.items?.enum]).toEqual([undefined, undefined]);
    expect(schemas.ac_phases?.enum).toEqual([1, 2, 3]);
  });

  test("stand in lists that are bounded as they were", () => {
    const { schemas } = vehicleRules({ openValues: true });
    expect(schemas.ac_ports).toMatchObject({ type: "array", uniqueItems: true, maxItems: 20 });
    const { problems } = read({ openValues: true }, { ac_ports: ["new", "new"] });
    expect(problems).toMatchObject([{ field: "ac_ports", message: "must not repeat an item" }]);
  });

  test("are none unless an operator says so", () => {
    expect(read({}, { ev_type: "fcev" }).problems).toMatchObject([{ field: "ev_type" }]);
  });
});
