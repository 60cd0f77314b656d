import http from "node:http";
import { Validator } from "@seriousme/openapi-schema-validator";
import { Ajv2020 } from "ajv/dist/2020.js";
import express from "express";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openApiDescription } from "../../src/server/index.js";
import { ask, fullKey, type Listening, listening, openRouter, restrictedKey } from "./listening.js";

interface DescribedParameter {
  readonly name: string;
  readonly in: string;
  readonly style?: string;
  readonly schema: {
    readonly properties?: Readonly<Record<string, { readonly examples: readonly unknown[] }>>;
    readonly examples?: readonly unknown[];
  };
}

interface Description {
  readonly servers: readonly { readonly url: string }[];
  readonly paths: Readonly<
    Record<string, { readonly get: { readonly parameters: readonly DescribedParameter[] } }>
  >;
}

describe("the OpenAPI description", () => {
  let server: Listening;
  beforeAll(async () => {
    server = await listening(http.createServer(openRouter().node));
  });
  afterAll(() => server.close());

  test("is valid OpenAPI 3.1, and is served without a key, with an ETag", async () => {
    const { status, headers, json } = await ask(server.origin, "/v2/openapi.json", { key: null });
    expect([status, headers["content-type"]]).toEqual([200, "application/json"]);
    const validator = new Validator();
    const result = await validator.validate({ ...json });
    expect([result.errors, result.valid, validator.version]).toEqual([undefined, true, "3.1"]);
    const etag = headers.etag ?? "";
    const again = await ask(server.origin, "/v2/openapi.json", {
      key: null,
      headers: { "if-none-match": etag },
    });
    expect(again.status).toBe(304);
  });

  test("names the prefix as its server", () => {
    const servers = [openApiDescription(""), openApiDescription("/api")].map(({ servers }) => servers);
    expect(servers).toEqual([[{ url: "/" }], [{ url: "/api" }]]);
  });

  const mounts: readonly { name: string; mount: (app: express.Express) => void }[] = [
    { name: "at the root", mount: (app) => app.use(openRouter().node) },
    { name: "by Express, which strips", mount: (app) => app.use("/api/v9", openRouter().node) },
    { name: "with a prefix", mount: (app) => app.use(openRouter({ prefix: "/api" }).node) },
    {
      name: "by something that strips and does not say so",
      mount: (app) =>
        app.use((request, response) =>
          openRouter().node({ ...request, headers: request.headers, url: request.url.slice(4) }, response),
        ),
    },
  ];
  for (const { name, mount } of mounts) {
    test(`names a server whose paths are answered, mounted ${name}`, async () => {
      const app = express();
      mount(app);
      const mounted = await listening(http.createServer(app));
      const path = ["", "/api", "/api/v9", "/out"].map((prefix) => `${prefix}/v2/openapi.json`);
      const answers = await Promise.all(path.map((one) => ask(mounted.origin, one, { key: null })));
      const at = answers.findLastIndex(({ status }) => status === 200);
      const { servers } = answers[at]!.json as unknown as Description;
      // As the standard has it: relative to the description; tools take a slash at the end off.
      const base = new URL(servers[0]!.url, `${mounted.origin}${path[at]}`).href.replace(/\/$/, "");
      const found = await fetch(`${base}/v2/vehicles?page[size]=1`, { headers: { "api-key": fullKey } });
      expect([servers, found.status]).toEqual([servers, 200]);
      await mounted.close();
    });
  }

  test("has every document of the router satisfy its schema, for both kinds of keys", async () => {
    const ajv = new Ajv2020({ strict: false, allErrors: true });
    ajv.addSchema(openApiDescription(""), "api");
    const documents = [
      { target: "/v2/vehicles", schema: "VehiclesDocument" },
      { target: "/v2/vehicles?page[number]=3", schema: "VehiclesDocument" },
      { target: "/v2/vehicles?page[number]=9", schema: "VehiclesDocument" },
      { target: "/v2/vehicles?q=tesla&fields[car]=model&fields[vehicle_brand]=", schema: "VehiclesDocument" },
      { target: "/v2/vehicle_brands", schema: "BrandsDocument" },
      { target: "/v2/vehicles?page[size]=0&x=1", schema: "ErrorDocument" },
      { target: "/v2/nowhere", schema: "ErrorDocument" },
    ];
    for (const { target, schema } of documents) {
      for (const key of [undefined, restrictedKey]) {
        const { json } = await ask(server.origin, target, key === undefined ? {} : { key });
        const validate = ajv.getSchema(`api#/components/schemas/${schema}`);
        expect([target, validate?.(json), validate?.errors]).toEqual([target, true, null]);
      }
    }
  });

  test("describes exactly the parameters that the router knows: its examples are accepted, others refused", async () => {
    const { paths } = openApiDescription("") as unknown as Description;
    for (const [path, { get }] of Object.entries(paths)) {
      const query = get.parameters.filter(({ in: place }) => place === "query");
      expect(
        query.filter(({ schema, style }) => (style === "deepObject") !== "properties" in schema),
      ).toEqual([]);
      const described = query.flatMap(({ name, schema }) =>
        schema.properties === undefined
          ? [[name, schema.examples?.[0]] as const]
          : Object.entries(schema.properties).map(
              ([key, { examples }]) => [`${name}[${key}]`, examples[0]] as const,
            ),
      );
      for (const [name, example] of described) {
        const { status } = await ask(server.origin, `${path}?${name}=${encodeURIComponent(String(example))}`);
        expect([name, status]).toEqual([name, 200]);
      }
      // The router lists what it knows when it meets a name that it does not.
      const { json } = await ask(server.origin, `${path}?unknown=1`);
      const known = json.errors[0]!.detail.replace(/^.*Known are /, "")
        .replace(/\.$/, "")
        .split(", ");
      expect(described.map(([name]) => name).sort()).toEqual(known.sort());
    }
  });

  test.each([
    ["/api/v2/openapi.json", "/api"],
    ["/a//b/v2/openapi.json", "/a//b"],
    ["//evil.example/v2/openapi.json", "/evil.example"],
    ["/\\evil.example/v2/openapi.json", "/evil.example"],
    ["\\\\evil.example/v2/openapi.json", "/evil.example"],
    ["/\t/evil.example/v2/openapi.json", ".."],
    ["javascript:alert(1)/v2/openapi.json", ".."],
    ["evil.example/v2/openapi.json", ".."],
    ["https://here.example/api/v2/openapi.json", "/api"],
    ["/v2/openapi.json", ".."],
    ["/api/v2/openapi.json/more", ".."],
    ["/api/v2/openapi.json/v2/openapi.json", "/api/v2/openapi.json"],
  ])("names no other host, whatever was in front of a mount: %j", async (originalUrl, server) => {
    const headers = new Headers();
    const { body } = await openRouter().respond({
      method: "GET",
      url: "/v2/openapi.json",
      originalUrl,
      headers,
    });
    const { servers } = JSON.parse(new TextDecoder().decode(body)) as Description;
    expect(servers).toEqual([{ url: server }]);
    expect(new URL(servers[0]!.url, "https://here.example/x/v2/openapi.json").host).toBe("here.example");
  });
});
