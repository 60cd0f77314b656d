import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createPipelineClient } from "@wye/pipeline-client";
import { startFakePipelineServer } from "@wye/pipeline-client/testing";
import { expect, onTestFinished, test } from "vitest";
import { makeFolder, shellPipeline, wye } from "./run-program.js";

const pipeline_spec = JSON.parse(shellPipeline(`printf "$2 $3" > "$1"`));
const parameters = { text: "of the file", count: 7 };
const files = {
  "run.json": { run_id: "r", pipeline_spec, runtime_config: { parameters } },
  "job.json": { pipelineSpec: pipeline_spec, runtimeConfig: { parameterValues: parameters } },
};

/** The configuration that the root driver of a workflow gets. */
function configIn(workflow: string): unknown {
  const found: string[] = [];
  JSON.parse(workflow, (_, one) => {
    if (one?.name === "runtime-config" && typeof one.value === "string" && one.value.startsWith('{"'))
      found.push(one.value);
    return one;
  });
  return JSON.parse(found[0] ?? expect.unreachable("no configuration"));
}

for (const [name, file] of Object.entries(files)) {
  const folder = () => {
    const cwd = makeFolder();
    writeFileSync(join(cwd, name), JSON.stringify(file));
    return { cwd };
  };

  test(`run ${name} takes what the file says, beside what stands on the command line`, async () => {
    expect((await wye(["pipeline", "run", name], folder())).out).toBe('out = "of the file 7"\n');
    const given = await wye(["pipeline", "run", name, "-p", "count=3"], folder());
    expect([given.code, given.out]).toEqual([0, 'out = "of the file 3"\n']);
  });

  test(`export ${name} takes what the file says, beside what stands on the command line`, async () => {
    const exported = async (...args: readonly string[]) =>
      configIn((await wye(["pipeline", "export", "--to", "argo", "--json", name, ...args], folder())).out);
    expect(await exported()).toEqual({ parameterValues: parameters });
    expect(await exported("-p", "count=3")).toEqual({ parameterValues: { ...parameters, count: 3 } });
  });

  test(`submit ${name} takes what the file says, beside what stands on the command line`, async () => {
    const server = await startFakePipelineServer();
    onTestFinished(() => server.close());
    const client = createPipelineClient({ host: server.url });
    const submitted = async (...args: readonly string[]) => {
      const { out } = await wye(["pipeline", "submit", name, "--host", server.url, ...args], folder());
      return (await client.runs.get(out.trim())).runtimeConfig?.parameters;
    };
    expect(await submitted()).toEqual(parameters);
    expect(await submitted("-p", "count=3")).toEqual({ ...parameters, count: 3 });
  });
}

test("what a run lacks may stand on the command line, and is missed without", async () => {
  const { text, ...others } = parameters;
  const spec = structuredClone(pipeline_spec);
  spec.root.inputDefinitions.parameters.text = { parameterType: "STRING" };
  const cwd = makeFolder();
  const file = { display_name: "r", pipeline_spec: spec, runtime_config: { parameters: others } };
  writeFileSync(join(cwd, "run.json"), JSON.stringify(file));
  const server = await startFakePipelineServer();
  onTestFinished(() => server.close());
  for (const command of [
    ["pipeline", "run", "run.json"],
    ["pipeline", "submit", "run.json", "--host", server.url],
  ]) {
    const without = await wye(command, { cwd });
    expect([without.code, without.err]).toEqual([2, expect.stringContaining("text")]);
    expect((await wye([...command, "-p", `text=${text}`], { cwd })).code).toBe(0);
  }
});
