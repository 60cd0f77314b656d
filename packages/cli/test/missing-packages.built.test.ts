import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { built } from "../../../scripts/built.js";
import { folderWith } from "./run-program.js";

// Packages can only be hidden from the program as it is installed.
const program = built(new URL("..", import.meta.url), "main.js");

const url = (code: string) => `data:text/javascript,${encodeURIComponent(code)}`;
const hide = `export const resolve = (name, context, next) => {
  if (/^(?:@opentelemetry\\/|@wye\\/(?:relay|vehicle)-(?!catalogue))/.test(name))
    throw Object.assign(new Error(name), { code: "ERR_MODULE_NOT_FOUND" });
  return next(name, context);
};`;
const hidden = url(`import { register } from "node:module"; register(${JSON.stringify(url(hide))});`);

/** What the program says without the packages that are installed beside it, and how it ends. */
function runWithout(files: Readonly<Record<string, string>>, args: readonly string[]) {
  const { stderr, status } = spawnSync(process.execPath, ["--import", hidden, program, ...args], {
    ...folderWith(files),
    encoding: "utf8",
    env: { DATABASE_URL: "postgres://127.0.0.1:1" },
  });
  return { stderr, status };
}

const telemetry = ["api", "sdk-metrics", "resources", "exporter-metrics-otlp-http"];

test.each([
  [
    "[Wye]\nopenTelemetry = true",
    `OpenTelemetry needs packages of its own: npm install ${telemetry.map((name) => `@opentelemetry/${name}`).join(" ")}`,
  ],
  ["[Redis]\nhost = h", "Redis needs a package of its own: npm install @wye/relay-redis"],
  ["[Consul]\nhost = h", "Consul needs a package of its own: npm install @wye/relay-consul"],
  [
    "[DynamoDB]\nenabled = true\ntableName = t",
    "DynamoDB needs a package of its own: npm install @wye/relay-dynamodb",
  ],
])("--check of %j misses what is not installed, and says how it is had", (lines, message) => {
  const config = `${lines}\n[Environment "a"]\nsdkKey = sdk-a\nprefix = a\n`;
  const ended = runWithout({ "relay.conf": config }, ["relay", "--config", "relay.conf", "--check"]);
  expect(ended).toEqual({ stderr: expect.stringContaining(`${message}\n`), status: 1 });
});

test("an import into a database misses what is not installed, and says how it is had", () => {
  const file = new URL("../../vehicle-catalogue/testdata/ev-data.json", import.meta.url);
  const ended = runWithout({ "ev.json": readFileSync(file, "utf8") }, ["vehicles", "import", "ev.json"]);
  const message = "PostgreSQL needs a package of its own: npm install @wye/vehicle-postgres\n";
  expect(ended).toEqual({ stderr: expect.stringContaining(message), status: 2 });
});
