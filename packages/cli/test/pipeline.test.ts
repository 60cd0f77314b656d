import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { parsePipeline, printPipeline } from "@wye/pipeline-spec";
import { describe, expect, test } from "vitest";
import { folderWith, shellPipeline, wye } from "./run-program.js";

const good = shellPipeline(`printf "$2 $3" > "$1"`);
const bad = good.replace('"name":"shell"', '"nmae":"shell"');
const cyclic = good.replace(
  '"taskInfo":{"name":"only"}',
  '"taskInfo":{"name":"only"},"dependentTasks":["only"]',
);

describe("check", () => {
  test("tells mistakes with their place, and ends with 1 when there are errors", async () => {
    const host = folderWith({ "bad.json": bad, "good.json": good });
    const found = await wye(["pipeline", "check", "bad.json", "good.json"], host);
    expect(found.code).toBe(1);
    expect(found.out).toContain(`did you mean "name"?`);
    expect(found.out).toMatch(/bad\.json:1:\d+/);
    expect((await wye(["pipeline", "check", "good.json"], host)).code).toBe(0);
  });

  test("takes patterns, archives and the standard input", async () => {
    const host = folderWith({ "a/one.json": good, "a/b/two.json": bad, "three.json.gz": gzipSync(bad) });
    const names = async (...args: string[]) => {
      const { out } = await wye(["pipeline", "check", "--json", ...args], { ...host, input: bad });
      const { files, ok }: { readonly files: readonly { readonly file: string }[]; readonly ok: boolean } =
        JSON.parse(out);
      return [ok, ...files.map(({ file }) => file)];
    };
    expect(await names("**/*.json")).toEqual([false, "a/b/two.json", "a/one.json"]);
    expect(await names("a/*.json", "a/one.json")).toEqual([true, "a/one.json"]);
    expect(await names("three.json.gz")).toEqual([false, "three.json.gz"]);
    expect(await names("-")).toEqual([false, "<stdin>"]);
  });

  test.each([
    ["a file that is not there", ["no.json"], "cannot read no.json: there is no such file"],
    ["a folder", ["."], "cannot read .: it is a folder"],
    ["a device that does not end", ["/dev/zero"], "/dev/zero: more than 64 MiB, which no pipeline has"],
    ["a file in what is no folder", ["good.json/x"], "cannot read good.json/x: ENOTDIR"],
    ["a pattern without a match", ["*.yml"], "no file matches *.yml"],
    ["a broken archive", ["broken.zip"], "broken.zip: the archive cannot be read"],
    ["an unknown rule", ["--rule", "task-cylce=off", "good.json"], 'there is no rule "task-cylce"'],
    [
      "an unknown severity",
      ["--rule", "component-unused=no", "good.json"],
      "write component-unused=off, or info, warning, error",
    ],
    ["an unknown format", ["--format", "xml", "good.json"], "Allowed choices are text, json, sarif, github"],
    ["a number that is none", ["--max-problems", "many", "good.json"], "It is a whole number from 1"],
    ["an unknown option", ["--strict", "good.json"], "unknown option '--strict'"],
    ["nothing to check", [], "missing required argument 'files'"],
    ["to watch the standard input", ["--watch", "-"], "--watch cannot watch the standard input"],
  ])("%s ends with 2 and one line", async (_, args, message) => {
    const host = folderWith({ "good.json": good, "broken.zip": "PK\u0003\u0004 nonsense" });
    const ended = await wye(["pipeline", "check", ...args], host);
    expect(ended).toMatchObject({ code: 2, out: "" });
    expect(ended.err).toContain(message);
    expect(ended.err.startsWith("wye: ")).toBe(true);
    expect(ended.err).not.toContain("    at ");
  });

  test("takes rules from the command line, and from the nearest configuration above", async () => {
    const host = folderWith({
      "deep/er/cyclic.json": cyclic,
      "wye.config.json": `{"rules":{"task-cycle":"warning"}}`,
    });
    const check = (...args: string[]) =>
      wye(["pipeline", "check", "cyclic.json", ...args], { cwd: join(host.cwd, "deep/er") });
    const ids = async (...args: string[]) => {
      const { out, code } = await check("--json", ...args);
      const problems: readonly { readonly code: string; readonly severity: string }[] =
        JSON.parse(out).files[0].problems;
      return [code, problems.find(({ code: id }) => id === "task-cycle")?.severity];
    };
    expect(await ids("--no-config")).toEqual([1, "error"]);
    expect(await ids()).toEqual([0, "warning"]);
    expect(await ids("--rule", "task-cycle=off")).toEqual([0, undefined]);
  });

  test("takes own rules from a module", async () => {
    const config = `export default { rules: [{ id: "acme/no-tasks", summary: "No tasks.", severity: "error",
      check: function* (graph) { for (const task of graph.tasks) yield { at: task.path, message: "a task!" }; } }] };`;
    const host = folderWith({ "good.json": good, "wye.config.mjs": config });
    expect((await wye(["pipeline", "check", "good.json"], host)).out).toContain("acme/no-tasks");
    const off = await wye(["pipeline", "check", "good.json", "--rule", "acme/no-tasks=off"], host);
    expect(off.code).toBe(0);
  });

  test.each([
    ["wye.config.json", "{", "cannot be loaded"],
    ["wye.config.json", "[]", "a configuration is an object"],
    ["wye.config.json", `{"rule":{}}`, `there is no setting "rule"; did you mean rules?`],
    ["wye.config.json", `{"profile":"vertex"}`, `the profile is "kfp" or "spec"`],
    [
      "wye.config.json",
      `{"rules":{"task-cycel":"off"}}`,
      `there is no rule "task-cycel": did you mean "task-cycle"?`,
    ],
    ["wye.config.json", `{"rules":{"task-cycle":"of"}}`, "rule task-cycle: a severity is"],
    ["wye.config.json", `{"rules":{"task-cycle":null}}`, "rule task-cycle: a severity is"],
    [
      "wye.config.json",
      `{"rules":["off"]}`,
      `wye.config.json: the rules are changes of severity and own rules`,
    ],
    ["wye.config.json", `{"rules":null}`, "rules are an object, or a list"],
    ["wye.config.mjs", "throw new Error('oh no')", "cannot be loaded: oh no"],
    [
      "wye.config.mjs",
      `export default {rules: [{id: "a/b", severity: "error", check() {}}]}`,
      "rule a/b: a summary is",
    ],
    [
      "wye.config.mjs",
      `export default {rules: [{id: "A", summary: "s", severity: "error", check() {}}]}`,
      "the id of a rule",
    ],
    [
      "wye.config.mjs",
      `export default {rules: [{id: "a/b", summary: "s", severity: "error", chekc() {}}]}`,
      "rule a/b: check is",
    ],
  ])("a configuration %s that is %s is refused", async (name, text, message) => {
    const ended = await wye(
      ["pipeline", "check", "good.json"],
      folderWith({ "good.json": good, [name]: text }),
    );
    expect(ended.code).toBe(2);
    expect(ended.err).toContain(message);
    expect(ended.err).toContain(`${name}`);
    expect(ended.err).not.toContain("should not have happened");
  });

  test("lets a configuration name its schema", async () => {
    const host = folderWith({ "good.json": good, "wye.config.json": `{"$schema":"./wye.schema.json"}` });
    expect((await wye(["pipeline", "check", "good.json"], host)).code).toBe(0);
  });

  test.each(["pipeline (1).json", "(team)/x.json", "!not.json", "r[ab].json"])(
    "takes %s for the file of that name",
    async (name) => {
      const host = folderWith({ [name]: good, "ra.json": bad });
      const { out, code } = await wye(["pipeline", "check", "--json", name], host);
      expect([code, JSON.parse(out).files.length]).toEqual([0, 1]);
    },
  );

  test("keeps what is in names of files from the terminal", async () => {
    const name = "a\u001b[2K\n::error file=x::pwned\n.json";
    const found = await wye(["pipeline", "check", name], folderWith({ [name]: bad }));
    const gone = await wye(["pipeline", "check", `gone ${name}`, "--no-config"]);
    expect([found.code, gone.code]).toEqual([1, 2]);
    for (const text of [found.out, gone.err]) expect(text).not.toMatch(/(?!\n)\p{Cc}|^::error file=x/mu);
  });

  test("says why what cannot be read is an error all the same", async () => {
    const host = folderWith({ "bad.yaml": "a: b: c\n" });
    const { out, code } = await wye(["pipeline", "check", "bad.yaml", "--rule", "yaml-syntax=off"], host);
    expect(code).toBe(1);
    expect(out.replace(/\s+/g, " ")).toContain("so that this stays an error");
  });

  test("lists errors only, and as many as asked for", async () => {
    const host = folderWith({
      "bad.json": bad.replace('"sdkVersion"', '"sdkVersio"').replace('"command"', '"comand"'),
    });
    const count = async (...args: string[]) =>
      JSON.parse((await wye(["pipeline", "check", "bad.json", "--json", ...args], host)).out).files[0]
        .problems.length;
    // One, and the remark that there are more.
    expect(await count("--max-problems", "1")).toBe(2);
    expect(await count()).toBeGreaterThan(2);
  });

  test("watches files until it is interrupted", async () => {
    const host = folderWith({ "one.json": bad });
    const controller = new AbortController();
    let out = "";
    const { run } = await import("../src/index.js");
    const ended = run(["pipeline", "check", "one.json", "--watch"], {
      ...host,
      env: {},
      readInput: async () => new Uint8Array(),
      interrupted: controller.signal,
      out: { write: (text) => (out += text) },
      err: { write: () => undefined },
    });
    await expect.poll(() => out).toContain("did you mean");
    await expect
      .poll(() => {
        // The watcher may begin after the first change.
        writeFileSync(join(host.cwd, "one.json"), good);
        return out;
      })
      .toContain("no problems");
    controller.abort();
    expect(await ended).toBe(0);
  });

  test("has colours on a terminal, unless NO_COLOR is set", async () => {
    const host = folderWith({ "bad.json": bad });
    const plain = await wye(["pipeline", "check", "bad.json"], host);
    const colored = await wye(["pipeline", "check", "bad.json"], { ...host, env: { FORCE_COLOR: "1" } });
    const refused = await wye(["pipeline", "check", "bad.json"], {
      ...host,
      env: { FORCE_COLOR: "1", NO_COLOR: "1" },
    });
    expect(colored.out).toContain("\u001b[");
    expect(plain.out).not.toContain("\u001b[");
    expect(refused.out).toBe(plain.out);
  });
});

describe("print", () => {
  test("gives the canonical form, as YAML or JSON", async () => {
    const host = folderWith({ "good.json": good });
    const parsed = parsePipeline(good);
    const pipeline = parsed.ok ? parsed.pipeline : expect.unreachable("it is valid");
    expect((await wye(["pipeline", "print", "good.json"], host)).out).toBe(printPipeline(pipeline));
    expect(JSON.parse((await wye(["pipeline", "print", "good.json", "--json"], host)).out)).toEqual(
      JSON.parse(printPipeline(pipeline, { format: "json" })),
    );
  });

  test("tells what is wrong with a file that cannot be read", async () => {
    const ended = await wye(["pipeline", "print", "bad.json"], folderWith({ "bad.json": "root: [" }));
    expect([ended.code, ended.out]).toEqual([1, ""]);
    expect(ended.err).toContain("bad.json:1:");
  });
});

describe("graph", () => {
  const url = new URL(
    "../../pipeline-spec/testdata/pipelines/valid/critical/parameter_oneof.yaml",
    import.meta.url,
  );

  test.each([
    ["mermaid", ["flowchart TD", `subgraph t1["mantle"]`, `t7["core-comp"]`, "t4 --> t3"]],
    ["dot", ["digraph pipeline {", "subgraph cluster_t1 {", `t7 [label="core-comp"];`, "t4 -> t3;"]],
  ])("draws DAGs inside each other for %s", async (format, lines) => {
    const { out } = await wye(["pipeline", "graph", "-", "--format", format], {
      input: readFileSync(url, "utf8"),
    });
    const drawn = out.split("\n").map((line) => line.trim());
    for (const line of lines) expect(drawn).toContain(line);
  });

  test("keeps names in their place, whatever is in them", async () => {
    const input = good.replace('"taskInfo":{"name":"only"}', '"taskInfo":{"name":"a\\"]; end\\n%%{<b>"}');
    const mermaid = await wye(["pipeline", "graph", "-"], { input });
    expect(mermaid.out).toBe(`flowchart TD\n  t0["a#34;]#59; end #37;#37;#123;#60;b#62;"]\n`);
    const dot = await wye(["pipeline", "graph", "-", "--format", "dot"], { input });
    expect(dot.out).toContain(`t0 [label="a\\"]; end %%{<b>"];`);
  });

  test("tells importers, exit tasks, loops and conditions apart", async () => {
    const leaf = (executor: object) => ({ executorLabel: "e", ...executor });
    const spec = {
      pipelineInfo: { name: "shapes" },
      root: {
        dag: {
          tasks: {
            fetch: { componentRef: { name: "fetch" } },
            loop: {
              componentRef: { name: "leaf" },
              dependentTasks: ["fetch"],
              parameterIterator: { items: { raw: "[1]" }, itemInput: "x" },
              triggerPolicy: { condition: `1 == ${"1".repeat(100)}` },
            },
            exit: {
              componentRef: { name: "leaf" },
              dependentTasks: ["loop"],
              triggerPolicy: { strategy: "ALL_UPSTREAM_TASKS_COMPLETED" },
            },
          },
        },
      },
      components: { leaf: leaf({}), fetch: leaf({ executorLabel: "f" }) },
      deploymentSpec: {
        executors: {
          e: { container: { image: "a", command: ["true"] } },
          f: {
            importer: {
              artifactUri: { constant: "gs://a/b" },
              typeSchema: { schemaTitle: "system.Artifact" },
            },
          },
        },
      },
    };
    const input = JSON.stringify(spec);
    const mermaid = (await wye(["pipeline", "graph", "-"], { input })).out;
    expect(mermaid).toContain(`t0[("fetch")]`);
    expect(mermaid).toContain(`t2(["exit"])`);
    expect(mermaid).toMatch(/t1\["loop \(for each, if 1 == 1+#8230;\)"\]/u);
    expect(mermaid).toContain("t1 -.-> t2");
    const dot = (await wye(["pipeline", "graph", "-", "--format", "dot"], { input })).out;
    expect(dot).toContain(`t0 [label="fetch", shape=cylinder];`);
    expect(dot).toContain(`t2 [label="exit", style=rounded];`);
    expect(dot).toContain("t1 -> t2 [style=dashed];");
    const svg = (await wye(["pipeline", "graph", "-", "--format", "svg"], { input })).out;
    const kinds = Array.from(svg.matchAll(/data-kind="([^"]*)"/g), ([, kind]) => kind);
    expect(kinds).toEqual(["importer", "loop", "exit"]);
  });

  test("says what else to do with more tasks than a picture can show", async () => {
    const spec = JSON.parse(good);
    const [[, task]] = Object.entries(spec.root.dag.tasks) as [[string, object]];
    const names = Array.from({ length: 1600 }, (_, index) => [`task-${index}`, task]);
    spec.root.dag.tasks = Object.fromEntries(names);
    const input = JSON.stringify(spec);
    const ended = await wye(["pipeline", "graph", "-", "--format", "svg"], { input });
    expect([ended.code, ended.out]).toEqual([2, ""]);
    expect(ended.err).toContain("--format dot or mermaid");
  });

  test("draws a component each time that it is used, up to a number of boxes", async () => {
    const task = (name: string) => ({ taskInfo: { name }, componentRef: { name } });
    const bomb = (levels: number) => {
      const components = Array.from({ length: levels }, (_, level) => {
        const next = task(`c${level + 1}`);
        return [`c${level}`, { dag: { tasks: { a: next, b: next } } }] as const;
      });
      const spec = { pipelineInfo: { name: "bomb" }, root: { dag: { tasks: { r: task("c0") } } } };
      return JSON.stringify({ ...spec, components: Object.fromEntries(components) });
    };
    const drawn = await wye(["pipeline", "graph", "-", "--format", "dot"], { input: bomb(10) });
    expect(drawn.out.match(/subgraph/g)).toHaveLength(2 ** 10 - 1);
    for (const format of ["dot", "mermaid"]) {
      const ended = await wye(["pipeline", "graph", "-", "--format", format], { input: bomb(19) });
      expect([ended.code, ended.out]).toEqual([2, ""]);
      expect(ended.err).toContain("more than 100000 boxes");
    }
  });

  test("ends although a component contains itself", async () => {
    const input = JSON.stringify({
      pipelineInfo: { name: "self" },
      root: { dag: { tasks: { a: { componentRef: { name: "c" } } } } },
      components: { c: { dag: { tasks: { a: { componentRef: { name: "c" } } } } } },
    });
    expect((await wye(["pipeline", "graph", "-"], { input })).out.match(/subgraph/g)).toHaveLength(20);
  });
});

describe("explain", () => {
  test("says what a rule is about, and lists all", async () => {
    const one = await wye(["pipeline", "explain", "task-cycle"]);
    expect(one.code).toBe(0);
    expect(one.out).toMatch(
      /^task-cycle \(error\)\n[\s\S]*Wrong:\n[\s\S]*Right:\n[\s\S]*--rule task-cycle=off/,
    );
    const all = await wye(["pipeline", "explain"]);
    expect(all.out).toContain("  task-cycle ");
    expect(JSON.parse((await wye(["pipeline", "explain", "--json"])).out).length).toBeGreaterThan(5);
    expect(JSON.parse((await wye(["pipeline", "explain", "task-cycle", "--json"])).out).id).toBe(
      "task-cycle",
    );
  });

  test("does not offer to switch off what cannot be", async () => {
    const { out } = await wye(["pipeline", "explain", "yaml-syntax"]);
    expect(out).toContain("cannot be switched off");
    expect(out).not.toContain("--rule");
  });

  test("names what may have been meant", async () => {
    const ended = await wye(["pipeline", "explain", "task-cycel"]);
    expect([ended.code, ended.err]).toEqual([
      2,
      `wye: there is no rule "task-cycel"; did you mean task-cycle?\n`,
    ]);
  });
});

describe("run", () => {
  test("runs on this machine, with parameters by their types, and prints the outputs", async () => {
    const host = folderWith({ "good.json": good });
    const ended = await wye(["pipeline", "run", "good.json", "-p", "text=7", "-p", "count=3"], host);
    expect(ended.code).toBe(0);
    expect(ended.out).toMatch(/^out = "7 3"\n$/);
    expect(ended.err).toMatch(/✓ the run succeeded.*\n {2}files: .*local_outputs/);
    expect(readdirSync(join(host.cwd, "local_outputs"))).toHaveLength(1);
  });

  test("prints lines of JSON", async () => {
    const { out } = await wye(["pipeline", "run", "good.json", "--json"], folderWith({ "good.json": good }));
    const lines = out
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(lines[0]).toMatchObject({ number: 1, task: "only", state: "QUEUED" });
    expect(lines.at(-1)).toMatchObject({ state: "SUCCEEDED", outputs: { parameters: { out: "none 1" } } });
  });

  test("prints the last lines of what failed, and where its log is, last; --resume does not do again what had ended", async () => {
    const host = folderWith({ "bad.json": shellPipeline("echo one; echo two >&2; exit 4") });
    const failed = await wye(["pipeline", "run", "bad.json"], host);
    expect(failed.code).toBe(1);
    expect(failed.err).toMatch(
      /only failed: exit code 4: two\n {2}\| one\n {2}\| two\n {2}log: .*log-1\.txt\n$/,
    );
    const [folder] = readdirSync(join(host.cwd, "local_outputs"));
    const inJson = await wye(["pipeline", "run", "bad.json", "--resume", "--json"], host);
    expect(JSON.parse(inJson.out.trim().split("\n").at(-1) ?? "").error).toEqual({
      message: "exit code 4: two",
      task: "only",
      code: 4,
      log: join(host.cwd, "local_outputs", folder ?? "", "only", "log-1.txt"),
    });
    const again = await wye(["pipeline", "run", "bad.json", "--resume", `local_outputs/${folder}`], host);
    expect([again.code, again.err]).toEqual([1, expect.stringContaining("the run failed")]);
    expect(again.err).toContain("the run had failed before: nothing was done again");
  });

  test("ends with 130 when it is interrupted, and --resume goes on", async () => {
    const host = folderWith({});
    const line = `[ -e '${join(host.cwd, "enough")}' ] || exec sleep 1000; printf done > "$1"`;
    writeFileSync(join(host.cwd, "long.json"), shellPipeline(line));
    const controller = new AbortController();
    const run = wye(["pipeline", "run", "long.json"], { ...host, interrupted: controller.signal });
    await expect.poll(() => readdirSync(host.cwd)).toContain("local_outputs");
    controller.abort();
    const ended = await run;
    expect([ended.code, ended.err]).toEqual([130, expect.stringContaining("the run was cancelled after")]);
    writeFileSync(join(host.cwd, "enough"), "");
    const [folder] = readdirSync(join(host.cwd, "local_outputs"));
    const again = await wye(["pipeline", "run", "long.json", "--resume"], host);
    expect([again.code, again.err]).toEqual([0, expect.stringContaining("the run succeeded")]);
    expect(readdirSync(join(host.cwd, "local_outputs"))).toEqual([folder]);
  });

  test.each([
    ["a parameter without a value", ["-p", "text"], "write name=value"],
    ["an unknown parameter", ["-p", "txt=1"], `no parameter "txt"; did you mean text?`],
    ["a parameter of another type", ["-p", "count=x"], "a value of type NUMBER_INTEGER is written as JSON"],
    [
      "a name twice in an object",
      ["-p", 'count=[{"a": 1, "b:\\":": {"a": 2}, "a": 3}]'],
      "a name stands twice in an object of it",
    ],
    ["a number that is none", ["-p", "count=1e400"], "--parameter count=1e400: it holds the number Infinity"],
    [
      "an integer that would become another",
      ["-p", "count=9007199254740993"],
      "--parameter count=9007199254740993: the integer 9007199254740993 would become 9007199254740992",
    ],
    ["a value that is refused", ["-p", 'count="x"'], "the run cannot start with these inputs"],
    ["a time that is none", ["--timeout", "-1"], "It is a number of seconds"],
    ["parameters for a run that has them", ["--resume", "x", "-p", "count=1"], "leave out --parameter"],
    [
      "a profile for a run that has one",
      ["--resume", "x", "-p", "count=1", "--profile", "spec"],
      "leave out --parameter and --profile",
    ],
    ["a run that is not there", ["--resume", "x"], "there is no run to resume: there is no folder "],
  ])("%s ends with 2", async (_, args, message) => {
    const ended = await wye(["pipeline", "run", "good.json", ...args], folderWith({ "good.json": good }));
    expect(ended.code).toBe(2);
    expect(ended.err).toContain(message);
  });

  test("runs by the letter of the document when asked, and nothing that cannot be read", async () => {
    const host = folderWith({ "good.json": good, "broken.json": "{" });
    expect((await wye(["pipeline", "run", "good.json", "--profile", "spec"], host)).code).toBe(0);
    expect((await wye(["pipeline", "check", "good.json", "--profile", "spec"], host)).code).toBe(0);
    expect((await wye(["pipeline", "run", "broken.json"], host)).code).toBe(2);
    expect((await wye(["pipeline", "graph", "broken.json"], host)).code).toBe(1);
    const none = await wye(["pipeline", "run", "-", "-p", "x=1"], {
      input: JSON.stringify({ pipelineInfo: { name: "n" }, root: { dag: {} } }),
    });
    expect(none.err).toContain(`the pipeline has no parameter "x"; it has none`);
  });

  test("a pipeline with errors is not run", async () => {
    const ended = await wye(["pipeline", "run", "cyclic.json"], folderWith({ "cyclic.json": cyclic }));
    expect(ended.code).toBe(2);
    expect(ended.err).toContain("the pipeline has errors, and is not run");
  });
});
