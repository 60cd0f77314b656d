import http from "node:http";
import { getRequestListener } from "@hono/node-server";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type Answer,
  type Asking,
  ask as askAt,
  type Listening,
  listening,
  openCatalogue,
  openRouter,
} from "./listening.js";

const jsonApi = "application/vnd.api+json";

/** The same checklist over both adapters, each behind a real server. */
const adapters = {
  "router.node in node:http": () => http.createServer(openRouter().node),
  "router.fetch in a fetch server": () => http.createServer(getRequestListener(openRouter().fetch)),
};

for (const [adapter, create] of Object.entries(adapters)) {
  describe(adapter, () => {
    let server: Listening;
    beforeAll(async () => {
      server = await listening(create());
    });
    afterAll(() => server.close());
    const ask = (target: string, asking?: Asking): Promise<Answer> => askAt(server.origin, target, asking);
    const ids = async (target: string): Promise<string[]> =>
      (await ask(target)).json.data.map((resource) => resource.id);

    describe("2.1 content negotiation", () => {
      test("Universal Responsibilities: documents are sent as application/vnd.api+json, errors too", async () => {
        for (const target of [
          "/v2/vehicles",
          "/v2/vehicle_brands",
          "/v2/vehicles?page[size]=0",
          "/nowhere",
        ]) {
          expect((await ask(target)).headers["content-type"]).toBe(jsonApi);
        }
        expect((await ask("/v2/vehicles", { key: null })).headers["content-type"]).toBe(jsonApi);
      });

      test("Rules for Media Type Parameters: the type is sent without any parameter", async () => {
        for (const accept of [undefined, "*/*", jsonApi, `${jsonApi};profile="https://example.org/p"`]) {
          const { headers } = await ask("/v2/vehicles", { headers: accept === undefined ? {} : { accept } });
          expect(headers["content-type"]).toBe(jsonApi);
        }
      });

      const contentTypes = [
        { type: `${jsonApi}; charset=utf-8`, status: 415 },
        { type: `${jsonApi};charset="utf-8"`, status: 415 },
        { type: `${jsonApi.toUpperCase()};Version=1`, status: 415 },
        { type: `${jsonApi}; q=1`, status: 415 },
        { type: `${jsonApi}; ext="https://jsonapi.org/ext/atomic"`, status: 415, section: "extension" },
        { type: `${jsonApi}; profile="https://example.org/a; charset=x"`, status: 200 },
        { type: jsonApi, status: 200 },
        { type: "application/json", status: 200 },
        { type: "application/json; charset=utf-8", status: 200 },
        { type: "text/plain", status: 200 },
      ];
      for (const { type, status } of contentTypes) {
        test(`Server Responsibilities: a request with Content-Type ${type} is answered with ${status}`, async () => {
          const answer = await ask("/v2/vehicles?page[size]=1", { headers: { "content-type": type } });
          expect(answer.status).toBe(status);
          expect(answer.json.errors?.[0]?.source).toEqual(
            status === 415 ? { header: "Content-Type" } : undefined,
          );
        });
      }

      const accepts = [
        { accept: `${jsonApi};charset=utf-8`, status: 406 },
        { accept: `${jsonApi};charset=utf-8, */*`, status: 406 },
        { accept: `${jsonApi};version=1, ${jsonApi};charset=utf-8`, status: 406 },
        { accept: `${jsonApi};ext="https://jsonapi.org/ext/atomic"`, status: 406 },
        { accept: `${jsonApi};ext="https://jsonapi.org/ext/atomic", application/json`, status: 406 },
        { accept: `${jsonApi};charset=utf-8, ${jsonApi}`, status: 200, type: jsonApi },
        { accept: `${jsonApi};ext="a", ${jsonApi};q=0.1`, status: 200, type: jsonApi },
        { accept: `${jsonApi};q=0.5`, status: 200, type: jsonApi },
        { accept: `${jsonApi};profile="https://example.org/unknown"`, status: 200, type: jsonApi },
        { accept: `text/html, ${jsonApi};q=0.3`, status: 200, type: jsonApi },
        { accept: "*/*", status: 200, type: jsonApi },
        { accept: "application/*", status: 200, type: jsonApi },
        { accept: "text/html, application/xhtml+xml, */*;q=0.8", status: 200, type: jsonApi },
        { accept: "application/json", status: 200, type: "application/json" },
        { accept: "application/json, text/plain, */*", status: 200, type: jsonApi },
        { accept: `application/json, ${jsonApi};q=0.5`, status: 200, type: "application/json" },
        { accept: `${jsonApi};q=0, */*`, status: 200, type: "application/json" },
        { accept: "", status: 200, type: jsonApi },
        { accept: "text/html", status: 406 },
        { accept: "text/html, image/*", status: 406 },
        { accept: `${jsonApi};q=0`, status: 406 },
        { accept: "*/*;q=0", status: 406 },
      ];
      for (const { accept, status, type = jsonApi } of accepts) {
        test(`Server Responsibilities: Accept "${accept}" is answered with ${status}`, async () => {
          const answer = await ask("/v2/vehicles?page[size]=1", { headers: { accept } });
          expect(answer.status).toBe(status);
          expect(answer.headers["content-type"]).toBe(type);
          expect(answer.json.errors?.[0]?.source).toEqual(status === 406 ? { header: "Accept" } : undefined);
        });
      }

      test("Server Responsibilities: without an Accept header the answer is JSON:API", async () => {
        const answer = await ask("/v2/vehicles?page[size]=1");
        expect([answer.status, answer.headers["content-type"]]).toEqual([200, jsonApi]);
      });

      test("Server Responsibilities: Vary names Accept", async () => {
        for (const target of ["/v2/vehicles", "/v2/vehicles?q="]) {
          expect((await ask(target)).headers.vary).toBe("Accept, Accept-Encoding, API-Key");
        }
      });
    });

    describe("2.2 document", () => {
      const targets = [
        "/v2/vehicles",
        "/v2/vehicles?page[number]=99",
        "/v2/vehicles?filter[id]=none",
        "/v2/vehicles?q=id3",
        "/v2/vehicles?fields[car]=&fields[motorbike]=",
        "/v2/vehicle_brands",
        "/v2/vehicles?page[size]=0",
        "/v2/unknown",
      ];

      test("Top Level: the root is an object with data or errors, never both, and meta", async () => {
        for (const target of targets) {
          const { json, status } = await ask(target);
          expect(Object.keys(json)).toContain(status === 200 ? "data" : "errors");
          expect("data" in json && "errors" in json).toBe(false);
          expect("included" in json && !("data" in json)).toBe(false);
          const known = ["data", "included", "meta", "links", "errors"];
          expect(Object.keys(json).filter((name) => !known.includes(name))).toEqual([]);
        }
      });

      test("Top Level: a collection is an array, also of one or no member", async () => {
        const [id] = await ids("/v2/vehicles?page[size]=1");
        for (const [target, length] of [
          [`/v2/vehicles?filter[id]=${id}`, 1],
          ["/v2/vehicles?filter[id]=none", 0],
        ] as const) {
          const { json } = await ask(target);
          expect(Array.isArray(json.data)).toBe(true);
          expect(json.data).toHaveLength(length);
        }
      });

      test("Document Structure: objects have only the members that the specification knows", async () => {
        const { json } = await ask("/v2/vehicles");
        const members = new Set(json.data.flatMap((resource) => Object.keys(resource)));
        expect([...members].sort()).toEqual(["attributes", "id", "relationships", "type"]);
        const brand = new Set(json.included.flatMap((resource) => Object.keys(resource)));
        expect([...brand].sort()).toEqual(["attributes", "id", "type"]);
      });

      test("Identification: every resource has a type and an id, and the pair occurs once", async () => {
        for (const page of [1, 2, 3]) {
          const { json } = await ask(`/v2/vehicles?page[number]=${page}`);
          const resources: { type: unknown; id: unknown }[] = [...json.data, ...json.included];
          expect(
            resources.filter(({ type, id }) => typeof type !== "string" || typeof id !== "string"),
          ).toEqual([]);
          const pairs = resources.map(({ type, id }) => `${type} ${id}`);
          expect(new Set(pairs).size).toBe(pairs.length);
        }
      });

      test("Fields: attributes and relationships share no name with each other, nor with id and type", async () => {
        const { json } = await ask("/v2/vehicles");
        for (const { attributes, relationships } of json.data) {
          const names = ["id", "type", ...Object.keys(attributes), ...Object.keys(relationships)];
          expect(new Set(names).size).toBe(names.length);
        }
      });

      test("Attributes: there are no foreign keys among them", async () => {
        const { json } = await ask("/v2/vehicles");
        const names = Object.keys(json.data[0]!.attributes);
        expect(names.filter((name) => name.endsWith("_id") || name.includes("manufacturer"))).toEqual([]);
      });

      test("Relationships, Resource Linkage: the manufacturer has data, an identifier of a brand", async () => {
        const { json } = await ask("/v2/vehicles");
        for (const { relationships } of json.data) {
          expect(Object.keys(relationships)).toEqual(["manufacturer"]);
          expect(Object.keys(relationships.manufacturer)).toEqual(["data"]);
          expect(relationships.manufacturer.data).toEqual({
            type: "vehicle_brand",
            id: expect.any(String),
          });
        }
      });

      for (const query of [
        "",
        "?q=tesla",
        "?fields[car]=model",
        "?fields[car]=manufacturer",
        "?page[number]=9",
        "?include=",
      ]) {
        test(`Compound Documents: every included brand is linked to, each once, with "${query}"`, async () => {
          const { json } = await ask(`/v2/vehicles${query}`);
          const linked = new Set(
            json.data.flatMap((resource) =>
              resource.relationships === undefined ? [] : resource.relationships.manufacturer.data.id,
            ),
          );
          const included: string[] = json.included.map((brand) => brand.id);
          expect(included.filter((id) => !linked.has(id))).toEqual([]);
          expect(new Set(included).size).toBe(included.length);
          expect(included.length).toBe(query === "?include=" ? 0 : linked.size);
        });
      }

      test("Meta Information: meta is an object with the count of all matches", async () => {
        const { json } = await ask("/v2/vehicles?page[size]=3");
        expect(json.meta).toEqual({ overall_count: 293 });
      });

      test("Member Names: names are legal, apart from the decimal keys that the seed wants", async () => {
        const legal = /^[a-zA-Z0-9\u0080-\uffff](?:[a-zA-Z0-9\u0080-\uffff_ -]*[a-zA-Z0-9\u0080-\uffff])?$/;
        const { json } = await ask("/v2/vehicles");
        const names = new Set<string>();
        JSON.stringify(json, function (this: unknown, name: string, value: unknown) {
          if (!Array.isArray(this) && name !== "") names.add(name);
          return name === "ac_power_per_charging_point" ? undefined : value;
        });
        expect([...names].filter((name) => !legal.test(name))).toEqual([]);
        expect(json.data[0]!.attributes.ac_power_per_charging_point).toHaveProperty(["11.0"], 3.7);
      });

      test("Member Names: names are case-sensitive", async () => {
        expect((await ask("/v2/vehicles?fields[Car]=model")).status).toBe(400);
        expect((await ask("/v2/vehicles?fields[car]=Model")).status).toBe(400);
        expect((await ask("/v2/vehicles?Q=id3")).status).toBe(400);
      });

      test("Links: self can be fetched and gives the same document, with the query repeated", async () => {
        const target =
          "/v2/vehicles?page[size]=7&filter[manufacturer.id]=&fields[car]=model, variant&fields[motorbike]=";
        const { json } = await ask(target.replaceAll(" ", "%20"));
        const again = new URL(json.links.self, `${server.origin}/v2/vehicles`);
        expect(Object.fromEntries(again.searchParams)).toEqual(
          Object.fromEntries(new URLSearchParams(target.split("?")[1])),
        );
        expect((await ask(again.pathname + again.search)).json).toEqual(json);
      });
    });

    describe("2.3 fetching", () => {
      test("200 OK: an empty collection is 200 with an empty array", async () => {
        const { status, json } = await ask("/v2/vehicles?filter[id]=none");
        expect(status).toBe(200);
        expect(json).toMatchObject({ data: [], included: [], meta: { overall_count: 0 } });
      });

      test("404 Not Found: paths that do not exist", async () => {
        for (const path of [
          "/",
          "/v2",
          "/v2/vehicles/",
          "/v2/vehicles/1",
          "/v2/vehicle",
          "/v1/vehicles",
          "/V2/vehicles",
        ]) {
          const { status, json } = await ask(path);
          expect([path, status, json.errors[0]!.code]).toEqual([path, 404, "NOT_FOUND"]);
        }
      });

      test("Other Responses: HEAD is GET without a body", async () => {
        for (const target of [
          "/v2/vehicles?page[size]=2",
          "/v2/vehicle_brands",
          "/v2/vehicles?page[size]=0",
        ]) {
          const get = await ask(target);
          const head = await ask(target, { method: "HEAD" });
          const comparable = ({ date: _, connection: __, ...headers }: http.IncomingHttpHeaders) => headers;
          expect(head.status).toBe(get.status);
          expect(comparable(head.headers)).toEqual(comparable(get.headers));
          expect(head.headers["content-length"]).toBe(String(get.body.length));
          expect(head.body).toHaveLength(0);
        }
      });

      test("Other Responses: OPTIONS names the methods, and other methods are refused with Allow", async () => {
        const options = await ask("/v2/vehicles", { method: "OPTIONS", key: null });
        expect([options.status, options.headers.allow]).toEqual([204, "GET, HEAD, OPTIONS"]);
        for (const method of ["POST", "PUT", "PATCH", "DELETE"]) {
          const { status, headers, json } = await ask("/v2/vehicles", { method, key: null });
          expect([status, headers.allow]).toEqual([405, "GET, HEAD, OPTIONS"]);
          expect(json.errors[0]!.code).toBe("METHOD_NOT_ALLOWED");
        }
      });

      test("Inclusion of Related Resources: brands by default, exactly the named paths with include, 400 otherwise", async () => {
        const plain = await ask("/v2/vehicles?page[size]=5");
        expect(plain.json.included.length).toBeGreaterThan(0);
        const named = await ask("/v2/vehicles?page[size]=5&include=manufacturer");
        expect(named.json.included).toEqual(plain.json.included);
        const none = await ask("/v2/vehicles?page[size]=5&include=");
        expect([none.status, none.json.included]).toEqual([200, []]);
        for (const path of ["brand", "manufacturer.country", "manufacturer,brand", "Manufacturer"]) {
          const { status, json } = await ask(`/v2/vehicles?include=${path}`);
          expect([status, json.errors[0]!.source]).toEqual([400, { parameter: "include" }]);
        }
      });

      const fieldCases = [
        { fields: "model,variant", attributes: ["model", "variant"], relationships: false },
        { fields: "variant,model,model", attributes: ["model", "variant"], relationships: false },
        { fields: "manufacturer", attributes: [], relationships: true },
        {
          fields: "dc_charging_curve,manufacturer,ev_type",
          attributes: ["ev_type", "dc_charging_curve"],
          relationships: true,
        },
        { fields: "ac_max_power", attributes: ["ac_max_power"], relationships: false },
        { fields: "id,type", attributes: [], relationships: false },
        { fields: "", attributes: [], relationships: false },
        { fields: " , ,", attributes: [], relationships: false },
        { fields: "%20model%20,,variant,", attributes: ["model", "variant"], relationships: false },
      ];
      for (const { fields, attributes, relationships } of fieldCases) {
        test(`Sparse Fieldsets: fields[car]=${fields} shows no other field of cars, and motorbikes whole`, async () => {
          const { status, json } = await ask(
            `/v2/vehicles?page[number]=3&fields[car]=${encodeURI(fields).replace(/%2520/g, "%20")}`,
          );
          expect(status).toBe(200);
          const cars = json.data.filter((resource) => resource.type === "car");
          const motorbikes = json.data.filter((resource) => resource.type === "motorbike");
          expect(cars.length).toBeGreaterThan(0);
          expect(motorbikes.length).toBeGreaterThan(0);
          for (const car of cars) {
            expect(Object.keys(car.attributes ?? {})).toEqual(attributes);
            expect("relationships" in car).toBe(relationships);
          }
          for (const motorbike of motorbikes) expect(Object.keys(motorbike.attributes)).toHaveLength(15);
        });
      }

      test("Sparse Fieldsets: a list given twice is the union, over both resource types and brands", async () => {
        const { json } = await ask(
          "/v2/vehicles?fields[car]=model&fields[car]=manufacturer&fields[motorbike]=variant&fields[vehicle_brand]=",
        );
        for (const { type, attributes, relationships } of json.data) {
          expect(Object.keys(attributes)).toEqual([type === "car" ? "model" : "variant"]);
          expect(relationships === undefined).toBe(type === "motorbike");
        }
        expect(new Set(json.included.flatMap((brand) => Object.keys(brand)))).toEqual(
          new Set(["type", "id"]),
        );
      });

      test("Sorting: sort is refused", async () => {
        const { status, json } = await ask("/v2/vehicles?sort=model");
        expect([status, json.errors[0]!.source]).toEqual([400, { parameter: "sort" }]);
      });

      test("Pagination: next leads through all pages to the last, which has none", async () => {
        const seen: string[] = [];
        let target: string | undefined = "/v2/vehicles?page%5Bsize%5D=50&fields[car]=model";
        let answer: Answer | undefined;
        while (target !== undefined) {
          answer = await ask(target);
          seen.push(...answer.json.data.map((resource) => resource.id));
          const next: string | undefined = answer.json.links.next;
          target =
            next === undefined
              ? undefined
              : new URL(next, `${server.origin}/v2/vehicles`).href.slice(server.origin.length);
        }
        expect(new Set(seen).size).toBe(293);
        expect(seen).toHaveLength(293);
        const at = (link: string): string | null =>
          new URL(link, "http://x/v2/vehicles").searchParams.get("page[number]");
        const { links } = answer!.json;
        expect([at(links.first), at(links.prev!), at(links.last), links.next]).toEqual([
          "1",
          "5",
          "6",
          undefined,
        ]);
      });

      test("Pagination: links that lead nowhere are absent", async () => {
        const names = async (query: string): Promise<string[]> =>
          Object.keys((await ask(`/v2/vehicles${query}`)).json.links).sort();
        expect(await names("?filter[id]=none")).toEqual(["first", "self"]);
        expect(await names("?page[size]=100")).toEqual(["first", "last", "next", "self"]);
        expect(await names("?page[number]=3")).toEqual(["first", "last", "prev", "self"]);
        const { json } = await ask("/v2/vehicles?page[number]=50");
        expect(json.links.prev).toBe("vehicles?page%5Bnumber%5D=3");
      });

      const unknown = [
        "foo=1",
        "filter[brand]=x",
        "filter[Id]=x",
        "filter=x",
        "page[limit]=5",
        "page[offset]=5",
        "page=2",
        "fields[vehicle]=model",
        "fields=model",
        "filter[id][]=a",
        "api_key=x",
        "=",
        "%00=1",
        "__proto__=1",
        "constructor=1",
        "camelCase=1",
      ];
      for (const parameter of unknown) {
        test(`Implementation-Specific Query Parameters: ${parameter} is refused, and named`, async () => {
          const { status, json } = await ask(`/v2/vehicles?${parameter}`);
          const name = decodeURIComponent(parameter.split("=")[0] ?? "");
          expect([status, json.errors]).toEqual([
            400,
            [expect.objectContaining({ code: "BAD_REQUEST", source: { parameter: name } })],
          ]);
        });
      }

      test("Query Parameters Details: the query is form-urlencoded: plus is a blank, escapes come before commas", async () => {
        const [a, b] = await ids("/v2/vehicles?page[size]=2");
        expect(await ids(`/v2/vehicles?filter[id]=${a}%2C${b}`)).toEqual([a, b]);
        expect(await ids(`/v2/vehicles?filter%5Bid%5D=${a},+${b}`)).toEqual([a, b]);
        expect(await ids("/v2/vehicles?q=VW+ID3")).toEqual(await ids("/v2/vehicles?q=VW%20ID3"));
        for (const odd of ["?q=%ff%fe", "?q=%E0%A4%A", "?q=%", "?filter[id]=%ff"]) {
          expect((await ask(`/v2/vehicles${odd}`)).status).toBe(200);
        }
      });

      test("Square Brackets in Parameter Names: raw and escaped brackets are the same", async () => {
        const raw = await ask("/v2/vehicles?page[size]=3&page[number]=2");
        const escaped = await ask("/v2/vehicles?page%5Bsize%5D=3&page%5bnumber%5d=2");
        expect(escaped.json).toEqual(raw.json);
      });
    });

    describe("2.4 errors", () => {
      const wrong = "/v2/vehicles?page[size]=0&page[number]=x&q=&filter[id]=1&fields[car]=foo&sort=a";

      test("Error Objects: an array of objects with status as text, code, title and detail", async () => {
        const { status, json } = await ask(wrong);
        expect(status).toBe(400);
        for (const error of json.errors) {
          expect(error).toEqual({
            status: "400",
            code: "BAD_REQUEST",
            title: "invalid query parameter",
            detail: expect.any(String),
            source: { parameter: expect.any(String) },
            ...(error.meta === undefined ? {} : { meta: expect.any(Object) }),
          });
        }
      });

      test("Processing Errors: all problems of the parameters are reported at once, as one 400", async () => {
        const { json } = await ask(wrong);
        const parameters = json.errors.map((error) => error.source.parameter);
        expect(parameters).toEqual(["page[size]", "page[number]", "q", "q", "fields[car]", "sort"]);
      });

      test("Error Objects: the title does not vary, the detail does", async () => {
        const [size, field] = [
          await ask("/v2/vehicles?page[size]=0"),
          await ask("/v2/vehicles?fields[car]=x"),
        ];
        expect(size.json.errors[0]!.title).toBe(field.json.errors[0]!.title);
        expect(size.json.errors[0]!.detail).not.toBe(field.json.errors[0]!.detail);
      });
    });
  });
}

test("the checklist runs on the open data", () => {
  expect(openCatalogue().vehicles()).toHaveLength(293);
});
