import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isVehicleClientError, type VehicleClient } from "../../src/client/index.js";
import { clientOf, collect } from "./client-of.js";
import { cars, documentOf } from "./scripted-server.js";

/** Values that have the members which the client looks at, with anything in them. */
const documentLike = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constantFrom<unknown>(null, true, 0, -1, 3, "", "car", "vehicle_brand", "1", [], {}),
    fc.array(tie("value"), { maxLength: 4 }),
    tie("object"),
  ),
  object: fc.dictionary(
    fc.constantFrom(
      ...["data", "included", "meta", "errors", "type", "id", "attributes", "relationships", "manufacturer"],
      ...["overall_count", "title", "source", "name", "__proto__", "constructor", "toString"],
    ),
    tie("value"),
    { maxKeys: 6 },
  ),
})).object;

/** A good document of which a part was replaced, lost or doubled. */
const damaged = fc
  .record({
    at: fc.nat(400),
    length: fc.nat(30),
    text: fc.oneof(
      fc.constant(""),
      fc.string({ maxLength: 10 }),
      fc.constantFrom('"', "}", "]", "\\", "\u0000"),
    ),
  })
  .map(({ at, length, text }) => {
    const whole = JSON.stringify(documentOf(cars(0, 4)));
    return whole.slice(0, at) + text + whole.slice(at + length);
  });

const calls: ((client: VehicleClient) => Promise<unknown>)[] = [
  (client) => client.page(),
  (client) => collect(client.vehicles()),
  (client) => collect(client.pages({ fields: { car: ["model"] } })),
  (client) => client.byId("1"),
  (client) => client.page({ filter: { id: ["1", "car-2"] } }),
  (client) => client.brands(),
];

describe("whatever comes", () => {
  const bodies = [
    {
      name: "JSON with the right names in the wrong places",
      body: documentLike.map((value) => JSON.stringify(value)),
    },
    { name: "damaged documents", body: damaged },
    { name: "any JSON", body: fc.json() },
    { name: "any bytes", body: fc.uint8Array({ maxLength: 300 }) },
  ] as const;
  for (const { name, body } of bodies) {
    test(`${name}: the answer is a result or the client's own error (seeded)`, async () => {
      const statuses = fc.constantFrom(200, 200, 200, 201, 299, 400, 403, 404, 429, 500, 503);
      const index = fc.nat(calls.length - 1);
      const property = fc.asyncProperty<[string | Uint8Array, number, number]>(
        body,
        statuses,
        index,
        async (content, status, call) => {
          const { client, clock } = clientOf("https://example.org", {
            fetch: async () => new Response(Uint8Array.from(Buffer.from(content)), { status }),
            maxPages: 5,
          });
          const outcome = await calls[call]!(client).then(
            () => status < 300,
            (error: unknown) =>
              isVehicleClientError(error) && (error.status === undefined || error.status === status),
          );
          expect([outcome, clock.pending]).toEqual([true, 0]);
        },
      );
      await fc.assert(property, { seed: 6, numRuns: 600 });
      expect({}).not.toHaveProperty("polluted");
    });
  }
});
