import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { type RunPlan, startFakePipelineServer } from "@wye/pipeline-client/testing";
import { expect, test } from "vitest";

const folder = fileURLToPath(new URL("..", import.meta.url));
const file = "pipelines/greeting.yaml";

interface Ended {
  readonly status: number;
  readonly stdout: string;
  readonly stderr: string;
}

function submit(
  host: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Ended> {
  const options = {
    cwd: folder,
    env: { PATH: process.env.PATH, HOME: folder, KF_PIPELINES_ENDPOINT: host, ...env },
  };
  return new Promise((resolve) => {
    execFile(process.execPath, ["dist/main.js", ...args], options, (error, stdout, stderr) =>
      resolve({ status: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });
}

const succeeds: RunPlan = ({ tasks }) => [
  { afterMs: 0, state: "SUCCEEDED", tasks: Object.fromEntries(tasks.map((name) => [name, "SUCCEEDED"])) },
];
const fails: RunPlan = ({ tasks }) => [
  { afterMs: 0, state: "FAILED", tasks: Object.fromEntries(tasks.map((name) => [name, "FAILED"])) },
];

test("a pipeline is uploaded, run and waited for; the next time it becomes a version", async () => {
  const server = await startFakePipelineServer({ plan: succeeds });
  const first = await submit(server.url, [file, 'who="you"']);
  const [runId] = [...server.store.runs.keys()];
  expect(first).toMatchObject({ status: 0, stderr: "" });
  expect(first.stdout).toBe(
    `new pipeline greeting, version greeting\n${server.url}/#/runs/details/${runId}\ngreet: SUCCEEDED\nrun: SUCCEEDED\n`,
  );
  const second = await submit(server.url, [file], { COMMIT: "abc123", KFP_EXPERIMENT: "nightly" });
  expect(second.stdout).toMatch(/^pipeline greeting, version abc123\n/);
  expect([...server.store.runs.values()].map(({ parameters }) => parameters)).toEqual([{ who: "you" }, {}]);
  await server.close();
});

test("a run that fails ends the job with 1 and the task that failed", async () => {
  const server = await startFakePipelineServer({ plan: fails });
  const { status, stderr } = await submit(server.url, [file]);
  expect([status, stderr]).toEqual([1, expect.stringContaining('task "greet" failed')]);
  await server.close();
});

test("a parameter that there is not ends the job before anything is run", async () => {
  const server = await startFakePipelineServer();
  const { status, stderr } = await submit(server.url, [file, "whom=1"]);
  expect([status, stderr, server.store.runs.size]).toEqual([1, expect.stringContaining("whom"), 0]);
  await server.close();
});

test("without a file it says how it is called", async () => {
  expect(await submit("http://127.0.0.1:9", [])).toMatchObject({
    status: 2,
    stderr: expect.stringContaining("usage:"),
  });
});
