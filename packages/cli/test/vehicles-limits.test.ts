import { apiKeyHeader } from "@wye/vehicle-catalogue";
import { expect, onTestFinished, test } from "vitest";
import { folderWith } from "./run-program.js";
import { serveVehicles } from "./serve-vehicles.js";

test.each([
  [30_000, 200],
  [40_000, 431],
])("a request with %i bytes beside its key is answered with %i", async (bytes, status) => {
  const { cwd } = folderWith({ "none.json": "[]" });
  const { base, end } = await serveVehicles(["none.json"], { cwd, env: { WYE_VEHICLE_KEYS: "one" } });
  onTestFinished(() => void end());
  const headers = { [apiKeyHeader]: "one", cookie: "x".repeat(bytes) };
  const response = await fetch(`${base}/v2/vehicles`, { headers });
  expect(response.status).toBe(status);
  await response.text();
});
