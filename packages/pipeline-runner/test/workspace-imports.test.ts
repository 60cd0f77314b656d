import { existsSync, mkdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parsePipeline } from "@wye/pipeline-spec";
import { expect, test } from "vitest";
import { type RunPipelineOptions, runPipeline } from "../src/node/index.js";
import { makeFolder } from "./make-folder.js";

const artifact = { artifactType: { schemaTitle: "system.Dataset" } };

/** Imports what is behind a URI, for a task that runs a line with the path as `$0`. */
function importing(uri: string, line: string, downloadToWorkspace = true) {
  const text = JSON.stringify({
    schemaVersion: "2.1.0",
    pipelineInfo: { name: "imports" },
    root: {
      dag: {
        tasks: {
          bring: { taskInfo: { name: "bring" }, componentRef: { name: "comp-bring" } },
          change: {
            taskInfo: { name: "change" },
            componentRef: { name: "comp-change" },
            dependentTasks: ["bring"],
            inputs: {
              artifacts: {
                data: { taskOutputArtifact: { producerTask: "bring", outputArtifactKey: "artifact" } },
              },
            },
          },
        },
      },
    },
    components: {
      "comp-bring": { executorLabel: "bring", outputDefinitions: { artifacts: { artifact } } },
      "comp-change": { executorLabel: "change", inputDefinitions: { artifacts: { data: artifact } } },
    },
    deploymentSpec: {
      executors: {
        bring: {
          importer: {
            artifactUri: { constant: uri },
            typeSchema: { schemaTitle: "system.Dataset" },
            downloadToWorkspace,
          },
        },
        change: {
          container: {
            image: "alpine",
            command: ["sh", "-c", line, "{{$.inputs.artifacts['data'].path}}"],
          },
        },
      },
    },
  });
  const parsed = parsePipeline(text);
  return parsed.ok ? parsed.pipeline : expect.unreachable(parsed.problems[0]?.message ?? "");
}

const run = (uri: string, line: string, more: RunPipelineOptions & { inPlace?: true } = {}) => {
  const { inPlace, ...options } = more;
  return runPipeline(importing(uri, line, inPlace === undefined), {
    pipelineRoot: makeFolder(),
    validate: false,
    ...options,
  });
};
const imported = (result: Awaited<ReturnType<typeof run>>) =>
  result.tasks.find(({ name }) => name === "bring")?.outputs?.artifacts.artifact?.artifacts[0];

test("what is meant for the workspace is a copy there, and what is changed in it changes nothing else", async () => {
  const data = join(makeFolder(), "data");
  mkdirSync(data);
  writeFileSync(join(data, "rows.csv"), "1\n");
  symlinkSync(join(data, "rows.csv"), join(data, "linked.csv"));
  const line = 'echo 2 >> "$0/rows.csv" && echo 3 >> "$0/linked.csv"';
  const result = await run(data, line);
  expect(result.state).toBe("SUCCEEDED");
  expect(readFileSync(join(data, "rows.csv"), "utf8")).toBe("1\n");
  const { uri, customPath = "", metadata } = imported(result) ?? {};
  expect([uri, metadata]).toEqual([data, { _kfp_workspace: true }]);
  expect(realpathSync(customPath)).toBe(customPath);
  expect(customPath.startsWith(join(result.folder, "workspace", ".artifacts", "file"))).toBe(true);
  expect(readFileSync(join(customPath, "rows.csv"), "utf8")).toBe("1\n2\n");
  expect(readFileSync(join(customPath, "linked.csv"), "utf8")).toBe("1\n3\n");
});

test("a file keeps its name; what a store has fetched stays as it was", async () => {
  const file = join(makeFolder(), "rows.csv");
  writeFileSync(file, "1\n");
  const stores = { gs: { fetch: async (_: string, path: string) => writeFileSync(path, "far\n") } };
  for (const [uri, before] of [
    [file, "1\n"],
    [`file://${file}`, "1\n"],
    ["gs://bucket/rows.csv", "far\n"],
  ] as const) {
    const result = await run(
      uri,
      'echo more >> "$0"; case "$0" in */rows.csv|*rows.csv) ;; *) exit 3; esac',
      {
        stores,
      },
    );
    expect([uri, result.state]).toEqual([uri, "SUCCEEDED"]);
    expect(readFileSync(imported(result)?.customPath ?? "", "utf8")).toBe(`${before}more\n`);
  }
  expect(readFileSync(file, "utf8")).toBe("1\n");
});

test("what is not meant for it is read in place, and leaves the workspace empty", async () => {
  const file = join(makeFolder(), "rows.csv");
  writeFileSync(file, "1\n");
  const result = await run(file, 'echo 2 >> "$0"', { inPlace: true });
  expect([result.state, imported(result)?.customPath]).toEqual(["SUCCEEDED", undefined]);
  expect(readFileSync(file, "utf8")).toBe("1\n2\n");
  expect(existsSync(join(result.folder, "workspace", ".artifacts"))).toBe(false);
});

test("what cannot be copied fails the task with the reason", async () => {
  const folder = makeFolder();
  symlinkSync("nowhere", join(folder, "dangling"));
  const result = await run(folder, "true");
  expect(result.state).toBe("FAILED");
  expect(result.error?.message).toMatch(/ENOENT.*dangling/);
});
