import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { makeFolder, wye } from "./run-program.js";
import { startRelay } from "./run-relay.js";

const fileOf = (name: string) => readFileSync(new URL(`../deploy/${name}`, import.meta.url), "utf8");

test("the configuration for Kubernetes holds, and names the ports that are there", async () => {
  const documents = parseAllDocuments(fileOf("kubernetes.yaml")).map((one) => one.toJS());
  expect(documents.map(({ kind }) => kind)).toEqual([
    "ConfigMap",
    "Deployment",
    "Service",
    "PodDisruptionBudget",
  ]);
  const [{ data }, { spec }] = documents;
  const cwd = makeFolder();
  writeFileSync(join(cwd, "ld-relay.conf"), data["ld-relay.conf"]);
  const env = { LD_ENV_production: "sdk-x", LD_MOBILE_KEY_production: "mob-x" };
  const args = ["relay", "--config", "ld-relay.conf", "--from-env", "--check", "--json"];
  const { code, out } = await wye(args, { cwd, env });
  expect([code, JSON.parse(out).warnings]).toEqual([0, []]);
  const values: readonly { key: string; value: string }[] = JSON.parse(out).values;
  const ports = values
    .filter(({ key }) => key === "port" || key === "statusPort")
    .map(({ value }) => Number(value));
  const [container] = spec.template.spec.containers;
  expect(container.ports.map((one: { containerPort: number }) => one.containerPort)).toEqual(ports);
  const drain = Number(values.find(({ key }) => key === "drainTimeout")?.value.replace("s", ""));
  expect(spec.template.spec.terminationGracePeriodSeconds).toBeGreaterThan(drain);
});

test.each([
  ["wye-relay.service", /^Exec(?:Start|StartPre)=\/usr\/bin\/env wye (.*)$/gm],
  ["Dockerfile", /^(?:ENTRYPOINT|\s+CMD) \[.*?"(relay".*)"\]$/gm],
])("the commands of %s are understood", async (name, pattern) => {
  const commands = [...fileOf(name).matchAll(pattern)].map(([, line = ""]) => line.split(/[ ",]+/));
  expect(commands).toHaveLength(2);
  for (const command of commands) {
    const { code, err } = await wye(
      [...command, "--check", "--allow-missing-file"].filter((one) => one !== "--health"),
      {
        env: { LD_ENV_production: "sdk-x" },
      },
    );
    expect([code, err]).toEqual([0, ""]);
  }
});

test("health is asked of the relay that runs with this configuration", async () => {
  const cwd = makeFolder();
  // Nobody is there to be asked for flags: the relay lives all the same.
  writeFileSync(
    join(cwd, "relay.conf"),
    `[Main]\nstreamUri = http://127.0.0.1:9\n[Environment "a"]\nsdkKey = sdk-a\n`,
  );
  const relay = await startRelay(["--config", "relay.conf"], { cwd });
  const { port } = new URL(relay.base);
  const ask = () => wye(["relay", "--config", "relay.conf", "--health", "--port", port], { cwd });
  const askJson = async () => {
    const { code, out, err } = await wye(
      ["relay", "--config", "relay.conf", "--health", "--json", "--port", port],
      { cwd },
    );
    expect([err, out.split("\n").length]).toEqual(["", 2]);
    return { code, told: JSON.parse(out) };
  };
  expect(await ask()).toMatchObject({ code: 0, out: "live\n" });
  const status = await (await fetch(`${relay.base}/status`)).json();
  expect(status.environments.a.status).toBe("disconnected");
  expect(await askJson()).toEqual({ code: 0, told: { live: true, port: Number(port), status } });
  await relay.end();
  expect(await askJson()).toEqual({
    code: 1,
    told: { live: false, port: Number(port), problem: expect.stringContaining("ECONNREFUSED") },
  });
  expect(await ask()).toMatchObject({
    code: 1,
    err: expect.stringContaining(`no relay lives on port ${port}`),
  });
});

test.each([
  [404, "", "404"],
  [200, "<p>", expect.stringContaining("its status is no JSON")],
])(
  "a relay that lives and answers %s with %j for its status lives, and that is said",
  async (code, body, problem) => {
    const server = createServer((req, res) => res.writeHead(req.url === "/live" ? 200 : code).end(body));
    onTestFinished(() => void server.close());
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const ended = await wye(["relay", "--from-env", "--health", "--json", "--port", String(port)], {
      env: { LD_ENV_a: "sdk-a" },
    });
    expect([ended.code, JSON.parse(ended.out)]).toEqual([0, { live: true, port, problem }]);
  },
);

// Elsewhere the other addresses of this machine have to be made first.
test.runIf(process.platform === "linux").each([
  ["127.0.0.1", [], 0],
  ["127.0.0.1", ["--host", "0.0.0.0"], 0],
  ["127.0.0.2", [], 1],
  ["127.0.0.2", ["--host", "127.0.0.2"], 0],
])("of a relay on %s health is asked there, with %j", async (address, args, expected) => {
  const server = createServer((req, res) => res.writeHead(req.url === "/live" ? 200 : 404).end());
  onTestFinished(() => void server.close());
  server.listen(0, address);
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  const { code } = await wye(["relay", "--from-env", "--health", "--port", String(port), ...args], {
    env: { LD_ENV_a: "sdk-a" },
  });
  expect(code).toBe(expected);
});
