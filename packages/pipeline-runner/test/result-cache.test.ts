import { mkdirSync, readFileSync, rmSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, test } from "vitest";
import { functionExecutor, runPipeline } from "../src/node/index.js";
import {
  artifact,
  out,
  outcome,
  type Part,
  path,
  pipelineOf,
  says,
  shell,
  string,
  takes,
  type,
} from "./cached-pipeline.js";
import { makeFolder } from "./make-folder.js";

describe("a result is taken only while", () => {
  test("an imported file is as it was", async () => {
    const [root, file] = [makeFolder(), join(makeFolder(), "data.csv")];
    const pipeline = pipelineOf("imported", {
      import: {
        component: { outputDefinitions: { artifacts: { a: { artifactType: type } } } },
        executor: { importer: { artifactUri: { constant: pathToFileURL(file).href }, typeSchema: type } },
      },
      read: {
        task: takes("import"),
        component: { inputDefinitions: artifact, outputDefinitions: { parameters: { o: string } } },
        executor: shell(`cat "$0" > "$1"`, path, out),
      },
    });
    const at = (text: string, seconds: number) => {
      writeFileSync(file, text);
      utimesSync(file, seconds, seconds);
    };
    at("monday", 1000);
    expect((await outcome(pipeline, root)).read).toEqual(["monday", false]);
    expect((await outcome(pipeline, root)).read).toEqual(["monday", true]);
    at("friday", 2000);
    expect((await outcome(pipeline, root)).read).toEqual(["friday", false]);
    // As programs do that unpack archives, and file systems whose clocks are coarse.
    at("sunday", 2000);
    expect((await outcome(pipeline, root)).read).toEqual(["sunday", false]);
  });

  test("what it was made of was as it was until its task had ended", async () => {
    const [pipelineRoot, file] = [makeFolder(), join(makeFolder(), "data.csv")];
    const pipeline = pipelineOf("swapped", {
      import: {
        component: { outputDefinitions: { artifacts: { a: { artifactType: type } } } },
        executor: { importer: { artifactUri: { constant: pathToFileURL(file).href }, typeSchema: type } },
      },
      read: {
        task: takes("import"),
        component: { inputDefinitions: artifact, outputDefinitions: { parameters: { o: string } } },
        executor: shell("true"),
      },
    });
    const at = (text: string, seconds: number) => {
      writeFileSync(file, text);
      utimesSync(file, seconds, seconds);
    };
    const readAfter = async (swap: () => void) => {
      const read = () => {
        swap();
        return { o: readFileSync(file, "utf8") };
      };
      const options = { pipelineRoot, cache: true, executor: functionExecutor({ read }) };
      const { tasks } = await runPipeline(pipeline, options);
      return tasks.map(({ outputs, cached = false }) => [outputs?.parameters.o, cached])[1];
    };
    at("monday", 1000);
    expect(await readAfter(() => at("friday", 2000))).toEqual(["friday", false]);
    // As who tries other data, and puts the former back.
    at("monday", 1000);
    expect(await readAfter(() => {})).toEqual(["monday", false]);
    expect(await readAfter(() => {})).toEqual(["monday", true]);
  });

  test("what it has made is as it was, also when the next task changes it", async () => {
    const root = makeFolder();
    const pipeline = pipelineOf("moved", {
      make: {
        component: { outputDefinitions: { artifacts: { a: { artifactType: type } } } },
        executor: shell(`mkdir -p "$0"; echo data > "$0/part"`, "{{$.outputs.artifacts['a'].path}}"),
      },
      move: {
        task: { ...takes("make"), cachingOptions: {} },
        component: { inputDefinitions: artifact, outputDefinitions: { parameters: { o: string } } },
        executor: shell(`ls "$0" > "$1"; rm "$0"/*`, path, out),
      },
    });
    for (let time = 0; time < 2; time++) {
      const { make, move } = await outcome(pipeline, root);
      expect([make, move]).toEqual([
        [undefined, false],
        ["part\n", false],
      ]);
    }
  });

  test("what it has not made is still not there", async () => {
    const root = makeFolder();
    const makes = {
      artifacts: { a: { artifactType: type } },
      parameters: { o: string },
    };
    const pipeline = pipelineOf("metrics", {
      // As metrics are: metadata without a file.
      make: {
        component: { outputDefinitions: makes },
        executor: shell(`printf 1 > "$0"; : "$1"`, out, "{{$.outputs.artifacts['a'].path}}"),
      },
      read: {
        task: takes("make"),
        component: { inputDefinitions: artifact, outputDefinitions: { parameters: { o: string } } },
        executor: shell(`printf %s "$0" > "$1"`, path, out),
      },
    });
    const place = (await outcome(pipeline, root)).read?.[0];
    expect(await outcome(pipeline, root)).toEqual({ make: ["1", true], read: [place, true] });
    writeFileSync(String(place), "by somebody else");
    expect((await outcome(pipeline, root)).make).toEqual(["1", false]);
  });

  test("it is of the same pipeline, whatever key a task names", async () => {
    const root = makeFolder();
    const cats = pipelineOf("cats", { say: says(`printf cat > "$0"`) }, "v1");
    const dogs = pipelineOf("dogs", { say: says(`printf dog > "$0"`) }, "v1");
    expect((await outcome(cats, root)).say).toEqual(["cat", false]);
    expect((await outcome(dogs, root)).say).toEqual(["dog", false]);
    expect((await outcome(cats, root)).say).toEqual(["cat", true]);
  });

  test("it is of the types that the component has now, whatever key its task names", async () => {
    const pipelineRoot = makeFolder();
    const giving = (parameterType: string, text: string) => {
      const component = { outputDefinitions: { parameters: { o: { parameterType } } } };
      return pipelineOf("p", { a: { component, executor: shell(`printf ${text} > "$0"`, out) } }, "same");
    };
    const ended = [
      await outcome(giving("STRING", "41"), pipelineRoot),
      await outcome(giving("NUMBER_INTEGER", "42"), pipelineRoot),
      await outcome(giving("NUMBER_INTEGER", "43"), pipelineRoot),
      await outcome(giving("LIST", "[44]"), pipelineRoot),
    ];
    expect(ended.map(({ a }) => a)).toEqual([
      ["41", false],
      [42, false],
      [42, true],
      [[44], false],
    ]);
  });

  test("it has all artifacts that the component makes now, of their types, whatever key its task names", async () => {
    const pipelineRoot = makeFolder();
    const made = (...kinds: readonly (readonly [name: string, schemaTitle: string])[]) => {
      const artifacts = kinds.map(([name, schemaTitle]) => [
        name,
        { artifactType: { schemaTitle, schemaVersion: "0.0.1" } },
      ]);
      return pipelineOf(
        "grown",
        {
          make: {
            component: { outputDefinitions: { artifacts: Object.fromEntries(artifacts) } },
            executor: shell("true"),
          },
        },
        "k",
      );
    };
    const [model, data] = [["m", "system.Model"] as const, ["d", "system.Dataset"] as const];
    const rounds = [
      [made(model), false],
      [made(model), true],
      [made(model, data), false],
      [made(model, data), true],
      [made(["m", "system.Artifact"], data), false],
      [made(model), false],
    ] as const;
    for (const [index, [pipeline, cached]] of rounds.entries()) {
      const { make } = await outcome(pipeline, pipelineRoot);
      expect([index, make]).toEqual([index, [undefined, cached]]);
    }
  });

  test("the variables of the container are the same", async () => {
    const root = makeFolder();
    const withMode = (value: string) =>
      pipelineOf("modes", { say: says(`printf "$MODE" > "$0"`, { env: [{ name: "MODE", value }] }) });
    expect((await outcome(withMode("test"), root)).say).toEqual(["test", false]);
    expect((await outcome(withMode("train"), root)).say).toEqual(["train", false]);
    expect((await outcome(withMode("test"), root)).say).toEqual(["test", true]);
  });
});

describe("a result is of all that the task was given, also of", () => {
  test("the defaults of its component", async () => {
    const root = makeFolder();
    const withDefault = (defaultValue: number) => {
      const i = { parameterType: "NUMBER_INTEGER", isOptional: true, defaultValue };
      const component = {
        inputDefinitions: { parameters: { i } },
        outputDefinitions: { parameters: { o: string } },
      };
      const executor = shell(`printf %s "$0" > "$1"`, "{{$.inputs.parameters['i']}}", out);
      return pipelineOf("defaults", { say: { component, executor } });
    };
    expect((await outcome(withDefault(1), root)).say).toEqual(["1", false]);
    expect((await outcome(withDefault(2), root)).say).toEqual(["2", false]);
    expect((await outcome(withDefault(1), root)).say).toEqual(["1", true]);
  });

  const file = "/data/that/nobody/has/read";
  const importing = (schemaTitle: string, metadata: object): Part => ({
    component: { outputDefinitions: { artifacts: { a: { artifactType: { schemaTitle } } } } },
    executor: {
      importer: { artifactUri: { constant: `gs:/${file}` }, typeSchema: { schemaTitle }, metadata },
    },
  });
  const writing = (schemaTitle: string, metadata: object): Part => {
    const written = { artifacts: { a: { artifacts: [{ name: "a", uri: `gs:/${file}`, metadata }] } } };
    return {
      task: { cachingOptions: {} },
      component: { outputDefinitions: { artifacts: { a: { artifactType: { schemaTitle } } } } },
      executor: shell(`printf %s "$1" > "$0"`, "{{$.outputs.output_file}}", JSON.stringify(written)),
    };
  };
  const reading = (schemaTitle: string): Part => ({
    task: takes("make"),
    component: {
      inputDefinitions: { artifacts: { x: { artifactType: { schemaTitle } } } },
      outputDefinitions: { parameters: { o: string } },
    },
    executor: shell(`printf %s "$0" > "$1"`, "{{$.inputs.artifacts['x'].metadata['k']}}", out),
  });
  const stores = { gs: { fetch: async (_: string, to: string) => writeFileSync(to, "data") } };
  for (const [who, make] of Object.entries({ "an importer": importing, "the task before": writing })) {
    test(`the type and the metadata of what ${who} has given`, async () => {
      const pipelineRoot = makeFolder();
      const read = async (schemaTitle: string, metadata: object) => {
        const parts = { make: make(schemaTitle, metadata), read: reading(schemaTitle) };
        const options = { pipelineRoot, stores, cache: true };
        const { tasks } = await runPipeline(pipelineOf("given", parts), options);
        const task = tasks.find(({ id }) => id === "read");
        return [task?.state, task?.outputs?.parameters.o, task?.cached ?? false];
      };
      expect([
        await read("system.Dataset", { k: "one", l: "x" }),
        await read("system.Dataset", { l: "x", k: "one" }),
        await read("system.Dataset", { k: "two", l: "x" }),
        await read("system.Model", { k: "two", l: "x" }),
      ]).toEqual([
        ["SUCCEEDED", "one", false],
        ["SUCCEEDED", "one", true],
        ["SUCCEEDED", "two", false],
        ["SUCCEEDED", "two", false],
      ]);
    });
  }

  test("what of the run, and of the task, is filled in for its command", async () => {
    const root = makeFolder();
    const calling = (task: string, name: string) => {
      const component = { outputDefinitions: { parameters: { o: string } } };
      const executor = shell(`printf %s "$0" > "$1"`, `to/{{$.${name}}}.tar`, out);
      return pipelineOf("called", { [task]: { component, executor } });
    };
    expect(await outcome(calling("train", "pipeline_task_name"), root)).toEqual({
      train: ["to/train.tar", false],
    });
    expect(await outcome(calling("test", "pipeline_task_name"), root)).toEqual({
      test: ["to/test.tar", false],
    });
    expect(await outcome(calling("train", "pipeline_task_name"), root)).toEqual({
      train: ["to/train.tar", true],
    });
    const [first] = (await outcome(calling("say", "pipeline_job_uuid"), root)).say ?? [];
    const [next, isCached] = (await outcome(calling("say", "pipeline_job_uuid"), root)).say ?? [];
    expect([next === first, isCached]).toEqual([false, false]);
  });

  test("the file that an artifact is read from, wherever its URI leads", async () => {
    const pipelineRoot = makeFolder();
    const folder = makeFolder();
    const read = async (customPath: string, text: string) => {
      writeFileSync(join(folder, customPath), text);
      const written = {
        artifacts: {
          a: { artifacts: [{ name: "a", uri: `gs:/${file}`, customPath: join(folder, customPath) }] },
        },
      };
      const make: Part = {
        task: { cachingOptions: {} },
        component: { outputDefinitions: { artifacts: { a: { artifactType: type } } } },
        executor: shell(`printf %s "$1" > "$0"`, "{{$.outputs.output_file}}", JSON.stringify(written)),
      };
      const component = { inputDefinitions: artifact, outputDefinitions: { parameters: { o: string } } };
      const executor = shell(`cat "$0" > "$1"`, path, out);
      const parts = { make, read: { task: takes("make"), component, executor } };
      const options = { pipelineRoot, stores, cache: true };
      const { tasks } = await runPipeline(pipelineOf("elsewhere", parts), options);
      const task = tasks.find(({ id }) => id === "read");
      return [task?.outputs?.parameters.o, task?.cached ?? false];
    };
    expect(await read("one", "first")).toEqual(["first", false]);
    expect(await read("two", "the second")).toEqual(["the second", false]);
    expect(await read("two", "changed since")).toEqual(["changed since", false]);
  });

  test("nothing of that when a task names a key", async () => {
    const root = makeFolder();
    const withDefault = (defaultValue: string) => {
      const component = {
        inputDefinitions: { parameters: { i: { ...string, isOptional: true, defaultValue } } },
        outputDefinitions: { parameters: { o: string } },
      };
      const executor = shell(`printf %s "$0" > "$1"`, "{{$.inputs.parameters['i']}}", out);
      return pipelineOf("own key", { say: { component, executor } }, "v1");
    };
    expect((await outcome(withDefault("1"), root)).say).toEqual(["1", false]);
    expect((await outcome(withDefault("2"), root)).say).toEqual(["1", true]);
  });
});

describe("a key that a task names stands for all that the task is given, also for", () => {
  test("variables, and what of the run is filled in", async () => {
    const root = makeFolder();
    const saying = (value: string) => {
      const env = [{ name: "MODE", value }];
      const command = ["sh", "-c", `printf "$MODE $1" > "$0"`, out, "{{$.pipeline_job_name}}"];
      return pipelineOf("given", { say: says("", { env, command }) }, "v1");
    };
    const { say: [first] = [] } = await outcome(saying("test"), root);
    expect((await outcome(saying("train"), root)).say).toEqual([first, true]);
  });

  test("files that the task before makes anew each time", async () => {
    const root = makeFolder();
    const make: Part = {
      task: { cachingOptions: {} },
      component: { outputDefinitions: { artifacts: { a: { artifactType: type } } } },
      executor: shell(`date +%N > "$0"`, "{{$.outputs.artifacts['a'].path}}"),
    };
    const component = { inputDefinitions: artifact, outputDefinitions: { parameters: { o: string } } };
    const read: Part = { task: takes("make"), component, executor: shell(`cat "$0" > "$1"`, path, out) };
    const pipeline = pipelineOf("anew", { make, read }, "v1");
    const { read: [first] = [] } = await outcome(pipeline, root);
    expect((await outcome(pipeline, root)).read).toEqual([first, true]);
  });

  test("not for the workspace, to which the task of another run has done nothing here", async () => {
    const root = makeFolder();
    const executor = shell(`touch "$1/mark"; printf done > "$0"`, out, "{{$.workspace_path}}");
    const component = { outputDefinitions: { parameters: { o: string } } };
    const pipeline = pipelineOf("shared", { say: { component, executor } }, "v1");
    for (let time = 0; time < 2; time++) {
      const { tasks } = await runPipeline(pipeline, { pipelineRoot: root, cache: true, validate: false });
      expect(tasks.map(({ state, cached = false }) => [state, cached])).toEqual([["SUCCEEDED", false]]);
    }
  });
});

test("results are kept in the folder that a path or a URL names", async () => {
  const [pipelineRoot, folder] = [makeFolder(), join(makeFolder(), "kept")];
  const pipeline = pipelineOf("named", { say: says(`printf hello > "$0"`) });
  for (const [cache, cached] of [
    [pathToFileURL(folder).href, false],
    [folder, true],
  ] as const) {
    const { tasks } = await runPipeline(pipeline, { pipelineRoot, cache });
    expect(tasks.map((task) => task.cached ?? false)).toEqual([cached]);
  }
});

test("a folder that was made is one result, until a file in it changes or is gone", async () => {
  const root = makeFolder();
  const pipeline = pipelineOf("folders", {
    make: {
      component: { outputDefinitions: { artifacts: { a: { artifactType: type } } } },
      executor: shell(`mkdir -p "$0/deep"; echo data > "$0/deep/part"`, "{{$.outputs.artifacts['a'].path}}"),
    },
  });
  const make = async () => {
    const { tasks } = await runPipeline(pipeline, { pipelineRoot: root, cache: true });
    return tasks[0] ?? expect.unreachable("there is a task");
  };
  const part = join((await make()).outputs?.artifacts.a?.artifacts[0]?.uri ?? "", "deep", "part");
  expect((await make()).cached).toBe(true);
  const text = readFileSync(part, "utf8");
  writeFileSync(part, `${text}more`);
  const second = await make();
  expect(second.cached).toBeUndefined();
  rmSync(join(second.outputs?.artifacts.a?.artifacts[0]?.uri ?? "", "deep", "part"));
  expect((await make()).cached).toBeUndefined();
});

test("a folder with links is another one when what is behind them has changed, however they lead around", async () => {
  const [root, outside] = [makeFolder(), makeFolder()];
  const write = (text: string) => writeFileSync(join(outside, "data", "part"), text);
  mkdirSync(join(outside, "data"));
  symlinkSync(outside, join(outside, "data", "back"));
  symlinkSync(join(outside, "nowhere"), join(outside, "data", "broken"));
  write("one");
  const pipeline = pipelineOf("links", {
    make: {
      component: { outputDefinitions: { artifacts: { a: { artifactType: type } } } },
      executor: shell(`mkdir "$0"; ln -s "$1/data" "$0/far"`, "{{$.outputs.artifacts['a'].path}}", outside),
    },
    read: {
      task: takes("make"),
      component: { inputDefinitions: artifact, outputDefinitions: { parameters: { o: string } } },
      executor: shell(`cat "$0/far/part" > "$1"`, path, out),
    },
  });
  expect((await outcome(pipeline, root)).read).toEqual(["one", false]);
  expect((await outcome(pipeline, root)).read).toEqual(["one", true]);
  write("another");
  expect((await outcome(pipeline, root)).read).toEqual(["another", false]);
  writeFileSync(join(outside, "nowhere"), "now there is something");
  expect((await outcome(pipeline, root)).read).toEqual(["another", false]);
});

test("a folder is another one when a file has changed whose name is no text", async () => {
  const [root, data] = [makeFolder(), makeFolder()];
  const write = (text: string) =>
    writeFileSync(Buffer.concat([Buffer.from(`${data}/caf`), Buffer.from([0xe9])]), text);
  const pipeline = pipelineOf("old names", {
    import: {
      component: { outputDefinitions: { artifacts: { a: { artifactType: type } } } },
      executor: { importer: { artifactUri: { constant: data }, typeSchema: type } },
    },
    read: {
      task: takes("import"),
      component: { inputDefinitions: artifact, outputDefinitions: { parameters: { o: string } } },
      executor: shell(`cat "$0"/caf* > "$1"`, path, out),
    },
  });
  const read = async () => {
    const options = { pipelineRoot: root, cache: true, validate: false };
    const { tasks } = await runPipeline(pipeline, options);
    return tasks.map(({ outputs, cached = false }) => [outputs?.parameters.o, cached])[1];
  };
  write("one");
  expect(await read()).toEqual(["one", false]);
  expect(await read()).toEqual(["one", true]);
  write("another");
  expect(await read()).toEqual(["another", false]);
});
