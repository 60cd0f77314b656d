import { afterEach, describe, expect, test } from "vitest";
import { clientOf, collect } from "./client-of.js";
import { answer, type Scripted, scriptedServer } from "./scripted-server.js";

let server: Scripted;
afterEach(() => server.close());

const brandLinkage = { type: "vehicle_brand", id: "b1" };
const brand = { ...brandLinkage, attributes: { name: "Northwind" } };

/**
 * Documents in the manners of other servers of JSON:API, made by the rules of its text: what they add, leave out or do
 * another way, the client must read.
 */
const documents: { name: string; document: object; vehicles: object[]; overallCount?: number }[] = [
  {
    name: "everything that JSON:API 1.1 allows at the top",
    document: {
      jsonapi: { version: "1.1", ext: [], profile: ["https://example.org/p"], meta: {} },
      links: { self: "/vehicles", describedby: { href: "/schema", type: "text/html" }, next: null },
      meta: { overall_count: 1, copyright: "x", page: { total: 1 } },
      data: [
        {
          type: "car",
          id: "1",
          lid: "local",
          links: { self: { href: "/vehicles/1", meta: {} } },
          meta: { score: 0.5 },
          attributes: { model: "Borealis" },
          relationships: {
            manufacturer: { links: { related: "/brands/b1" }, data: brandLinkage, meta: {} },
            drivers: { links: { related: "/drivers" } },
            tags: { data: [{ type: "tag", id: "t1" }] },
          },
        },
      ],
      included: [brand, { type: "tag", id: "t1", attributes: { name: "new" } }],
    },
    vehicles: [{ id: "1", type: "car", model: "Borealis", manufacturer: { id: "b1", name: "Northwind" } }],
    overallCount: 1,
  },
  {
    name: "a server that leaves out what is empty (json-api-serializer, fast_jsonapi)",
    document: {
      data: [
        { type: "car", id: "1" },
        { type: "motorbike", id: "2", attributes: {} },
      ],
    },
    vehicles: [
      { id: "1", type: "car", manufacturer: null },
      { id: "2", type: "motorbike", manufacturer: null },
    ],
  },
  {
    name: "a server in PHP, where an empty object is an empty list",
    document: {
      data: [{ type: "car", id: "1", attributes: [], relationships: [], links: [], meta: [] }],
      included: [],
      meta: [],
    },
    vehicles: [{ id: "1", type: "car", manufacturer: null }],
  },
  {
    name: "null for what is not there",
    document: {
      data: [
        { type: "car", id: "1", attributes: null, relationships: null },
        { type: "car", id: "2", relationships: { manufacturer: null } },
        { type: "car", id: "3", relationships: { manufacturer: { data: null } } },
      ],
      included: null,
      meta: null,
      errors: null,
    },
    vehicles: [
      { id: "1", type: "car", manufacturer: null },
      { id: "2", type: "car", manufacturer: null },
      { id: "3", type: "car", manufacturer: null },
    ],
  },
  {
    name: "linkage without the resource (no include asked), with links alone, and to many",
    document: {
      data: [
        { type: "car", id: "1", relationships: { manufacturer: { data: brandLinkage } } },
        { type: "car", id: "2", relationships: { manufacturer: { links: { related: "/b" } } } },
        { type: "car", id: "3", relationships: { manufacturer: { data: [brandLinkage] } } },
        { type: "car", id: "4", relationships: { manufacturer: { data: { type: "vehicle_brand" } } } },
      ],
    },
    vehicles: [
      { id: "1", type: "car", manufacturer: { id: "b1" } },
      { id: "2", type: "car", manufacturer: null },
      { id: "3", type: "car", manufacturer: null },
      { id: "4", type: "car", manufacturer: null },
    ],
  },
  {
    name: "the older type name of brands, and one brand of many vehicles",
    document: {
      data: ["1", "2", "3"].map((id) => ({
        type: "car",
        id,
        relationships: { manufacturer: { data: { type: "brand", id: "b1" } } },
      })),
      included: [{ type: "brand", id: "b1", attributes: { name: "Northwind", country: "IS" } }],
    },
    vehicles: ["1", "2", "3"].map((id) => ({
      id,
      type: "car",
      manufacturer: { id: "b1", name: "Northwind", country: "IS" },
    })),
  },
  {
    name: "included resources that point at each other and at themselves",
    document: {
      data: [{ type: "car", id: "1", relationships: { manufacturer: { data: brandLinkage } } }],
      included: [
        {
          ...brand,
          relationships: { owner: { data: brandLinkage }, flagship: { data: { type: "car", id: "1" } } },
        },
      ],
    },
    vehicles: [{ id: "1", type: "car", manufacturer: { id: "b1", name: "Northwind" } }],
  },
  {
    name: "one id in two types, one of them a vehicle's own",
    document: {
      data: [{ type: "car", id: "b1", relationships: { manufacturer: { data: brandLinkage } } }],
      included: [{ type: "car", id: "b1", attributes: { name: "no brand" } }, brand],
    },
    vehicles: [{ id: "b1", type: "car", manufacturer: { id: "b1", name: "Northwind" } }],
  },
  {
    name: "what the operator may add: types, attributes, ports, kinds",
    document: {
      data: [
        {
          type: "truck",
          id: "1",
          attributes: { ev_type: "fcev", dc_ports: ["nacs", "mcs"], axles: 3, dc_charging_curve: [] },
          relationships: { manufacturer: { data: brandLinkage } },
        },
      ],
      included: [brand],
      meta: { overall_count: 1 },
    },
    vehicles: [
      {
        id: "1",
        type: "truck",
        ev_type: "fcev",
        dc_ports: ["nacs", "mcs"],
        axles: 3,
        dc_charging_curve: [],
        manufacturer: { id: "b1", name: "Northwind" },
      },
    ],
    overallCount: 1,
  },
];

describe("documents of other servers are read", () => {
  for (const { name, document, vehicles, overallCount } of documents) {
    test(name, async () => {
      // Some count, some have pages, and all of them have an end.
      server = await scriptedServer((request, response) => {
        answer(response, request.url?.includes("number") ? { data: [] } : document);
      });
      const { client } = clientOf(server.origin);
      const page = await client.page();
      expect(page.vehicles).toEqual(vehicles);
      expect(page.overallCount).toBe(overallCount);
      expect(page.document).toEqual(document);
      expect(await collect(client.vehicles())).toEqual(vehicles);
    });
  }

  test("vehicles of one brand share it, and a change to one answer is no change to another", async () => {
    const { document } = documents[5]!;
    server = await scriptedServer((_, response) => answer(response, document));
    const { client } = clientOf(server.origin);
    const [first, second] = (await client.page()).vehicles;
    expect(first!.manufacturer).toBe(second!.manufacturer);
    expect((await client.page()).vehicles[0]!.manufacturer).not.toBe(first!.manufacturer);
  });

  test("brands with and without attributes, and more than the name", async () => {
    const data = [
      brand,
      { ...brandLinkage, id: "b2" },
      { ...brand, id: "b3", attributes: { name: "Z", id: "x" } },
    ];
    server = await scriptedServer((_, response) => answer(response, { data }));
    const { brands, overallCount, document } = await clientOf(server.origin).client.brands();
    expect(brands).toEqual([{ id: "b1", name: "Northwind" }, { id: "b2" }, { id: "b3", name: "Z" }]);
    expect([overallCount, document]).toEqual([undefined, { data }]);
  });
});
