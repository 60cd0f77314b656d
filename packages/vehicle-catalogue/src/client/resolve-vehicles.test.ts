import { describe, expect, test } from "vitest";
import { resolveBrands, resolveVehicles } from "./resolve-vehicles.js";

const linked = { manufacturer: { data: { type: "vehicle_brand", id: "b1" } } };
const included = [
  { type: "maker", id: "b1", attributes: { name: "of another type" } },
  { type: "vehicle_brand", id: "b1", attributes: { name: "Northwind", id: "other" } },
];

describe("the manufacturer of a vehicle", () => {
  test.each([
    ["car", undefined, linked, { id: "b1", name: "Northwind" }],
    ["car", undefined, {}, null],
    ["car", ["manufacturer"], {}, null],
    ["car", ["model"], {}, undefined],
    ["car", ["model"], linked, { id: "b1", name: "Northwind" }],
    ["motorbike", undefined, {}, null],
    ["motorbike", ["model"], {}, null],
    ["car", undefined, { manufacturer: { data: { type: "vehicle_brand", id: "b2" } } }, { id: "b2" }],
    ["car", undefined, { manufacturer: { data: { type: "vehicle_brand" } } }, null],
    ["car", undefined, { manufacturer: null }, null],
  ] as const)(
    "of a %s, of which of cars %j are wanted and %j is said",
    (type, fields, relationships, found) => {
      const [vehicle] = resolveVehicles(
        { data: [{ type, id: "v1", relationships }], included },
        { "fields[car]": fields },
      );
      expect(vehicle).toEqual({ id: "v1", type, ...(found !== undefined && { manufacturer: found }) });
      expect(Object.hasOwn(Object(vehicle), "manufacturer")).toBe(found !== undefined);
    },
  );
});

test.each([[["a", "b"]], ["text"], [null], [5]])("attributes that are %j are none", (attributes) => {
  const resource = { type: "car", id: "v1", attributes };
  expect(resolveVehicles({ data: [resource] }, {})).toEqual([{ id: "v1", type: "car", manufacturer: null }]);
  expect(resolveBrands({ data: [resource] })).toEqual([{ id: "v1" }]);
});

test("no attribute takes the place of what a resource is", () => {
  const attributes = { id: "x", type: "y", manufacturer: "z", model: "M" };
  const [vehicle] = resolveVehicles({ data: [{ type: "car", id: "v1", attributes }] }, {});
  expect(vehicle).toEqual({ id: "v1", type: "car", model: "M", manufacturer: null });
});
