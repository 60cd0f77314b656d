import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative, resolve, sep } from "node:path";
import { type Pipeline, parsePipeline, RuntimeArtifact } from "@wye/pipeline-spec";
import { describe, expect, test } from "vitest";
import { artifactResolver, type RunPipelineOptions, type RunResult, runPipeline } from "../src/node/index.js";
import { makeFolder } from "./make-folder.js";

// A relative path means a file of the folder in which whoever wrote it was: the host, or the task. All tasks run in folders of their own.

const data = join(makeFolder(), "data");
writeFileSync(data, "beside the host");
const local = relative(process.cwd(), data);

const type = { schemaTitle: "system.Artifact", schemaVersion: "0.0.1" };
const artifacts = { data: { artifactType: type } };
const printer = {
  container: { image: "alpine", command: ["sh", "-c", `cat "$0"`, "{{$.inputs.artifacts['data'].path}}"] },
};

/** A task that prints the artifact `data`, which comes from the pipeline or from a task `give`. */
function printing(giver?: object): Pipeline {
  const source =
    giver === undefined
      ? { componentInputArtifact: "data" }
      : { taskOutputArtifact: { producerTask: "give", outputArtifactKey: "data" } };
  const parsed = parsePipeline(
    JSON.stringify({
      pipelineInfo: { name: "relative" },
      schemaVersion: "2.1.0",
      root: {
        ...(giver === undefined ? { inputDefinitions: { artifacts } } : {}),
        dag: {
          tasks: {
            print: { componentRef: { name: "comp-print" }, inputs: { artifacts: { data: source } } },
            ...(giver === undefined ? {} : { give: { componentRef: { name: "comp-give" } } }),
          },
        },
      },
      components: {
        "comp-print": { executorLabel: "print", inputDefinitions: { artifacts } },
        ...(giver === undefined
          ? {}
          : { "comp-give": { executorLabel: "give", outputDefinitions: { artifacts } } }),
      },
      deploymentSpec: { executors: { print: printer, ...(giver === undefined ? {} : { give: giver }) } },
    }),
  );
  return parsed.ok ? parsed.pipeline : expect.unreachable(parsed.problems[0]?.message ?? "");
}

async function printedBy(pipeline: Pipeline, options: RunPipelineOptions = {}): Promise<string> {
  let printed = "";
  const onLog = (task: string, chunk: Uint8Array) => {
    if (task === "print") printed += Buffer.from(chunk);
  };
  const { error }: RunResult = await runPipeline(pipeline, {
    pipelineRoot: makeFolder(),
    validate: false,
    onLog,
    ...options,
  });
  return error === undefined ? printed : `${error.task}: ${error.message}`;
}

const importer = (uri: string) => ({ importer: { artifactUri: { constant: uri }, typeSchema: type } });
const saying = (artifact: object) => {
  const output = JSON.stringify({ artifacts: { data: { artifacts: [{ name: "data", ...artifact }] } } });
  const script = `mkdir made; printf made > made/here; printf '%s' '${output}' > "$0"`;
  return { container: { image: "alpine", command: ["sh", "-c", script, "{{$.outputs.output_file}}"] } };
};

describe("a relative path", () => {
  test("that is imported is one of the folder of the host", async () => {
    expect(await printedBy(printing(importer(local)))).toBe("beside the host");
  });

  test("that is imported is one of the folder in which the run was started, wherever it goes on", async () => {
    const user = new AbortController();
    user.abort();
    const options = { pipelineRoot: makeFolder(), validate: false };
    const { folder } = await runPipeline(printing(importer(local)), { ...options, signal: user.signal });
    const journal = join(folder, "run.jsonl");
    // Without the sums, which would show that it is changed.
    const text = readFileSync(journal, "utf8").replace(/,"sum":"[\da-f]{8}"}$/gm, "}");
    const [head = "", ...lines] = text.split("\n");
    expect(JSON.parse(head).startedIn).toBe(process.cwd());
    // As if it had been started in a folder as deep as this one, where another file has the same path.
    const elsewhere = join(makeFolder(), ...local.split(sep).map((part) => (part === ".." ? "down" : ".")));
    mkdirSync(dirname(resolve(elsewhere, local)), { recursive: true });
    writeFileSync(resolve(elsewhere, local), "elsewhere");
    const moved = JSON.stringify({ ...JSON.parse(head), startedIn: elsewhere });
    writeFileSync(journal, [moved, ...lines].join("\n"));
    expect(
      await printedBy(printing(importer(local)), { pipelineRoot: makeFolder(), resumeFrom: folder }),
    ).toBe("elsewhere");
  });

  test("of a run to resume is one of the folder of the host, and the run has the whole one", async () => {
    const user = new AbortController();
    user.abort();
    const options = { pipelineRoot: makeFolder(), validate: false };
    const { folder } = await runPipeline(printing(importer(local)), { ...options, signal: user.signal });
    const resumeFrom = relative(process.cwd(), folder);
    const resumed = await runPipeline(printing(importer(local)), { resumeFrom });
    expect([resumed.state, resumed.folder]).toEqual(["SUCCEEDED", folder]);
  });

  test("that the run is started with is one of the folder of the host, also when it is resumed elsewhere", async () => {
    const artifact = RuntimeArtifact.create({ name: "data", uri: local });
    const result = await runPipeline(printing(), {
      pipelineRoot: makeFolder(),
      validate: false,
      artifacts: { data: { artifacts: [artifact] } },
    });
    expect([result.error, result.inputs.artifacts.data?.artifacts[0]?.uri]).toEqual([undefined, data]);
  });

  test("that a resolver finds is one of the folder of the host", async () => {
    const artifact = RuntimeArtifact.create({ name: "data", uri: local });
    const resolver = { resolver: { outputArtifactQueries: { data: { filter: 'name="data"' } } } };
    const entry = { artifact, contexts: ["relative"] };
    expect(await printedBy(printing(resolver), { resolve: artifactResolver(() => [entry]) })).toBe(
      "beside the host",
    );
  });

  test.each([
    ["a URI", { uri: "made/here" }],
    ["a path of its own", { customPath: "./made/here" }],
  ])("that a task says of its output as %s is one of the folder of the task", async (_, artifact) => {
    expect(await printedBy(printing(saying(artifact)))).toBe("made");
  });
});

test("file:/ is a path, and file: without one is none", async () => {
  expect(await printedBy(printing(importer(`file:${data}`)))).toBe("beside the host");
  expect(await printedBy(printing(importer("file:data/x")))).toBe(
    "give: file:data/x is no path: a path of this machine is file:///…",
  );
});

test.each(["data/x", "/data/x"])("file://%s is a path only without a host", async (path) => {
  expect(await printedBy(printing(importer(`file://${path}`)))).toBe(
    path.startsWith("/")
      ? "give: there is nothing to import at /data/x"
      : "give: file://data/x names the machine data: a path of this machine is file:///…",
  );
});
