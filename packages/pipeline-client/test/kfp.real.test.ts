import { execFile, execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createPipelineClient } from "../src/index.js";
import { startFakePipelineServer } from "../src/testing/index.js";
import { helloPipeline } from "./recorded-world.js";

// The client that users of Kubeflow Pipelines have, against the fake server: it finds there what it finds on a cluster.

/** Why this machine goes without Python, when it does. */
const withoutPython = process.env.WYE_WITHOUT_PYTHON;
if (withoutPython !== undefined) console.warn(`kfp of Python is left out: ${withoutPython}`);

const programs = fileURLToPath(new URL("./python/", import.meta.url));
const run = promisify(execFile);

describe.skipIf(withoutPython !== undefined)("kfp of Python against the fake server", () => {
  let folder: string;
  let python: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "wye-kfp-"));
    python = join(folder, "environment/bin/python");
    execFileSync("python3", ["-m", "venv", join(folder, "environment")], { stdio: "pipe" });
    const install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps"];
    execFileSync(python, [...install, "-r", join(programs, "requirements.txt")], { stdio: "pipe" });
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  test("uploads, runs, waits, lists, stops and deletes", async () => {
    const plan = () => [
      { afterMs: 0, state: "RUNNING" },
      { afterMs: 200, state: "SUCCEEDED" },
    ];
    const server = await startFakePipelineServer({ plan, prefix: "/pipeline" });
    const file = join(folder, "hello_pipeline.yaml");
    writeFileSync(file, helloPipeline);
    // Its own settings, and nobody else's.
    const env = { PATH: process.env.PATH, HOME: folder };
    const { stdout } = await run(python, [join(programs, "use_client.py"), server.url, file], { env });
    expect(JSON.parse(stdout.trim().split("\n").at(-1) ?? "")).toEqual({
      healthz: false,
      "same experiment": true,
      pipeline: "hello",
      version: "v2",
      "pipeline id": true,
      versions: ["hello", "v2"],
      state: "SUCCEEDED",
      parameters: { who: "you" },
      "package run": "SUCCEEDED",
      runs: ["from a package", "run 1"],
      "recurring run": "DISABLED",
      refusals: {
        "unknown run": 404,
        "name taken": 409,
        "terminate ended": 400,
        "delete with versions": 400,
      },
      experiment: "ARCHIVED",
    });
    // And this client finds what that one has left.
    const client = createPipelineClient({ host: server.url });
    expect(
      (await client.runs.list({ experiment: "trial" }).page()).items.map(({ displayName }) => displayName),
    ).toEqual(["from a package"]);
    await server.close();
  });
});
