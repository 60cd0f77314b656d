import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { apiKeyHeader } from "@wye/vehicle-catalogue";
import type { LoadReport } from "@wye/vehicle-catalogue/server";
import { expect, onTestFinished, test, vi } from "vitest";
import { folderWith } from "../../test/run-program.js";
import type { Host } from "../host.js";
import { listening, type ServeVehiclesOptions, serveVehicles } from "./serve.js";

const file = new URL("../../../vehicle-catalogue/testdata/ev-data.json", import.meta.url);
const { data, brands } = JSON.parse(readFileSync(file, "utf8"));

/** Serves records by keys of a file; what is printed, how to end it, and how it ends. */
function serving(records: readonly object[], options: Partial<ServeVehiclesOptions> = {}) {
  const { cwd } = folderWith({
    "ev.json": JSON.stringify({ data: records, brands }),
    "stale.json": '[{"id":"gone","set":{"model":"x"}}]',
    keys: "one\n",
  });
  const ending = new AbortController();
  const printed: string[] = [];
  const write = (text: string) => void printed.push(text);
  const outliveOutput = vi.fn();
  const host = { cwd, env: {}, out: { write }, err: { write }, interrupted: ending.signal, outliveOutput };
  const ended = serveVehicles(
    "ev.json",
    { port: 0, host: "127.0.0.1", keys: "keys", ...options },
    host as unknown as Host,
  );
  return { cwd, ended, printed, outliveOutput, end: () => ending.abort() };
}

/** Waits until there is something in a list. */
async function untilPrinted(printed: readonly string[]): Promise<void> {
  while (printed.length === 0) await new Promise(setImmediate);
}

test("a port that is taken is told", async () => {
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void taken.close());
  const { port } = taken.address() as AddressInfo;
  const { ended, printed } = serving(data.slice(0, 1), { port });
  expect(await ended).toBe(1);
  expect(printed).toEqual([expect.stringMatching(`^wye: cannot listen on port ${port}: .*EADDRINUSE`)]);
});

test("a file of which no record is right is not served", async () => {
  const { ended, printed } = serving([{ id: "wrong" }]);
  await expect(ended).rejects.toThrow(/^no record of ev\.json is right: /);
  expect(printed).toEqual([]);
});

test("its output that cannot be written any more does not end it", async () => {
  const { ended, printed, outliveOutput, end } = serving(data.slice(0, 1));
  await untilPrinted(printed);
  expect(outliveOutput).toHaveBeenCalledOnce();
  end();
  expect(await ended).toBe(0);
});

test("corrections that do not apply are told at the start", async () => {
  const { ended, printed, end } = serving(data.slice(0, 1), { corrections: "stale.json" });
  end();
  expect(await ended).toBe(0);
  expect(printed).toEqual([
    expect.stringMatching(/^1 correction does not apply /),
    expect.stringMatching(/^1 vehicles of ev\.json on port \d+; .* at \/v2\/openapi\.json\n$/),
  ]);
});

test.each([
  ["filter[updated_since]=2020-01-01T00:00:00Z", { additions: true }, 200],
  ["sort=model", { additions: true }, 200],
  ["filter[updated_since]=2020-01-01T00:00:00Z", {}, 400],
  ["sort=model", {}, 400],
])("%s, which the API does not document, is answered as %j says: %i", async (query, options, status) => {
  const { ended, printed, end } = serving(data.slice(0, 1), { ...options, json: true });
  await untilPrinted(printed);
  const { url } = JSON.parse(printed[0] ?? "");
  const response = await fetch(`${url}/v2/vehicles?${query}`, { headers: { [apiKeyHeader]: "one" } });
  expect(response.status).toBe(status);
  end();
  expect(await ended).toBe(0);
});

test.each([
  [1, "1 problem"],
  [1500, "1500 problems"],
])("all records that are wrong are counted, however few are listed: %i", async (wrong, said) => {
  // Each but the first has an id that is taken.
  const records = Array.from({ length: 1 + wrong }, () => data[0]);
  const { ended, printed, end } = serving(records);
  await untilPrinted(printed);
  end();
  await ended;
  expect(printed[0]).toBe(`${said} with records of ev.json: \`wye vehicles check\` tells them\n`);
});

test("keys in a file that changes are followed, wherever the program runs", async () => {
  const { cwd, ended, printed, end } = serving(data.slice(0, 1), { json: true });
  await untilPrinted(printed);
  writeFileSync(join(cwd, "keys"), "one\ntwo\n");
  await expect
    .poll(() => printed, { timeout: 20_000 })
    .toContain("keys were read again: 2 may use the API now\n");
  const { url } = JSON.parse(printed[0] ?? "");
  const response = await fetch(`${url}/v2/vehicles`, { headers: { [apiKeyHeader]: "two" } });
  expect(response.status).toBe(200);
  end();
  expect(await ended).toBe(0);
});

const report = (given: Partial<LoadReport> = {}): LoadReport => ({
  loaded: 3,
  problems: [],
  repairs: [],
  omitted: { problems: 0, repairs: 0, staleCorrections: 0 },
  ...given,
});

test.each<[options: Partial<ServeVehiclesOptions>, url: string]>([
  [{}, "http://localhost:9"],
  [{ prefix: "/api" }, "http://localhost:9/api"],
  [{ host: "127.0.0.1", prefix: "/a/b" }, "http://127.0.0.1:9/a/b"],
  [{ host: "cars.example" }, "http://cars.example:9"],
  [{ host: "0.0.0.0" }, "http://localhost:9"],
  [{ host: "::" }, "http://localhost:9"],
  [{ host: "::1", prefix: "/api" }, "http://[::1]:9/api"],
])("with %j it is found at %s", (options, url) => {
  const told = listening("ev.json", { port: 0, ...options }, { port: 9, report: report() });
  expect(told).toMatchObject({ port: 9, url, description: `${url}/v2/openapi.json`, file: "ev.json" });
});

test("what is wrong, mended and stale is counted, listed or not", () => {
  const one = { index: 0, field: "model", message: "is no text" };
  const given = report({
    problems: [one],
    repairs: [one, one] as never,
    staleCorrections: [one, one, one] as never,
    omitted: { problems: 10, repairs: 200, staleCorrections: 3000 },
  });
  expect(listening("f", { port: 0 }, { port: 9, report: given })).toMatchObject({
    vehicles: 3,
    problems: 11,
    repairs: 202,
    staleCorrections: 3003,
  });
  expect(listening("f", { port: 0 }, { port: 9, report: report() })).toMatchObject({ staleCorrections: 0 });
});
