import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { toArgoWorkflow } from "@wye/pipeline-argo";
import { parsePipeline } from "@wye/pipeline-spec";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { makeFolder, shellPipeline, wye } from "./run-program.js";

const good = shellPipeline(`printf "$2 $3" > "$1"`);
const refused = good.replace('"componentRef":{"name":"comp-only"}', '"componentRef":{"name":"comp-olny"}');

function files(changes: Readonly<Record<string, string>> = {}): { readonly cwd: string } {
  const cwd = makeFolder();
  mkdirSync(join(cwd, "folder"));
  for (const [name, text] of Object.entries({ "good.json": good, "refused.json": refused, ...changes })) {
    writeFileSync(join(cwd, name), text);
  }
  return { cwd };
}

const exported = (args: readonly string[], host: object = files()) =>
  wye(["pipeline", "export", "--to", "argo", ...args], host);

function workflowOf(options: Parameters<typeof toArgoWorkflow>[1] = {}): unknown {
  const parsed = parsePipeline(good);
  const result = toArgoWorkflow(parsed.ok ? parsed.pipeline : expect.unreachable(), options);
  return result.ok ? result.workflow : expect.unreachable();
}

describe("export --to argo", () => {
  test("prints the workflow of the library", async () => {
    const { code, out, err } = await exported(["good.json"]);
    expect([code, err]).toEqual([0, ""]);
    expect(parse(out)).toEqual(workflowOf());
    expect(JSON.parse((await exported(["--json", "good.json"])).out)).toEqual(workflowOf());
    expect(parse((await exported(["-"], { input: good })).out)).toEqual(workflowOf());
  });

  test("hands over what stands on the command line and in a file, of which the former wins", async () => {
    const host = files({
      "options.json": '{"namespace": "team-a", "logLevel": "3", "driverImage": "driver:1"}',
    });
    const args = [
      "--options",
      "options.json",
      "--driver-image",
      "driver:2",
      "--launcher-image",
      "launcher:2",
    ];
    const more = [
      "--target",
      "2.17",
      "--cache-disabled",
      "--pipeline-root",
      "gs://b",
      "--display-name",
      "My run",
    ];
    const last = ["--service-account", "runner", "-p", "text=yes", "-p", "count=3", "good.json"];
    const { out } = await exported([...args, ...more, ...last], host);
    const expected = workflowOf({
      namespace: "team-a",
      logLevel: "3",
      driverImage: "driver:2",
      launcherImage: "launcher:2",
      target: "2.17",
      cacheDisabled: true,
      pipelineRoot: "gs://b",
      displayName: "My run",
      serviceAccountName: "runner",
      runtimeConfig: { parameterValues: { text: "yes", count: 3 } },
    });
    expect(parse(out)).toEqual(expected);
  });

  test("parameters of the command line stand beside those of a file, and win", async () => {
    const runtimeConfig = {
      gcsOutputDirectory: "gs://b",
      parameterValues: { text: "of the file", count: 7 },
    };
    const host = files({ "options.json": JSON.stringify({ runtimeConfig }) });
    const { out } = await exported(["--options", "options.json", "-p", "count=3", "good.json"], host);
    const parameterValues = { text: "of the file", count: 3 };
    expect(parse(out)).toEqual(workflowOf({ runtimeConfig: { ...runtimeConfig, parameterValues } }));
    expect(parse((await exported(["--options", "options.json", "good.json"], host)).out)).toEqual(
      workflowOf({ runtimeConfig }),
    );
  });

  test.each([
    [
      "a run",
      { display_name: "x", pipeline_spec: JSON.parse(good) },
      "runtime_config",
      "parameters",
      "pipeline_root",
    ],
    ["a job", { pipelineSpec: JSON.parse(good) }, "runtimeConfig", "parameterValues", "gcsOutputDirectory"],
  ])(
    "parameters of the command line stand beside those of %s, and win",
    async (_, file, config, parameters, root) => {
      const given = { [root]: "gs://b", [parameters]: { text: "of the file", count: 7 } };
      const host = files({ "given.json": JSON.stringify({ ...file, [config]: given }) });
      const { out, err } = await exported(["-p", "count=3", "given.json"], host);
      expect(err).toBe("");
      const parameterValues = { text: "of the file", count: 3 };
      const runtimeConfig = { gcsOutputDirectory: "gs://b", parameterValues };
      expect(parse(out)).toEqual(workflowOf({ runtimeConfig }));
    },
  );

  test("gives each member of a specification a line of its own", async () => {
    const { out } = await exported(["--indent", "good.json"]);
    expect(out).toMatch(/^ +"executorLabel": "exec-only",?$/m);
  });

  test("writes where templates come from", async () => {
    const host = files();
    await exported(["--sources", "sources.json", "good.json"], host);
    const sources: readonly { readonly template: string }[] = JSON.parse(
      readFileSync(join(host.cwd, "sources.json"), "utf8"),
    );
    expect(sources.find(({ template }) => template === "root")).toMatchObject({
      role: "dag",
      tasks: [{ name: "only-driver", path: "/root/dag/tasks/only" }, { name: "only" }],
    });
  });

  test("ends with 1 and the places when the back end refuses the pipeline", async () => {
    const { code, out, err } = await exported(["refused.json"]);
    expect([code, out]).toEqual([1, ""]);
    expect(err).toContain('there is no component "comp-olny"');
    expect(err).toMatch(/refused\.json:1:\d+/);
  });

  test("tells errors and warnings with their sum, and when it is to be quiet errors alone", async () => {
    const odd = files({ "odd.json": refused.replaceAll('"only"', '"on_ly"') });
    const { code, err } = await exported(["odd.json"], odd);
    expect([code, err]).toEqual([
      1,
      expect.stringMatching(/warning\[argo-task-name\][\s\S]*\n1 error, 1 warning\n$/),
    ]);
    const quiet = await exported(["--quiet", "odd.json"], odd);
    expect([quiet.code, quiet.err]).toEqual([
      1,
      expect.stringMatching(/unknown-component[\s\S]*\n1 error\n$/),
    ]);
    expect(quiet.err).not.toContain("warning");
  });

  test("tells warnings beside the workflow, unless it is to be quiet", async () => {
    const odd = files({ "odd.json": good.replaceAll('"only"', '"on_ly"') });
    const { code, out, err } = await exported(["odd.json"], odd);
    expect([code, out.startsWith("apiVersion: ")]).toEqual([0, true]);
    expect(err).toContain("argo-task-name");
    expect((await exported(["--quiet", "odd.json"], odd)).err).toBe("");
  });

  test.each([
    ["no engine", ["pipeline", "export", "good.json"], "required option '--to <engine>' not specified"],
    ["another engine", ["pipeline", "export", "--to", "tekton", "good.json"], "Allowed choices are argo"],
    [
      "no file",
      ["pipeline", "export", "--to", "argo", "no.json"],
      "cannot read no.json: there is no such file",
    ],
    [
      "an option of the file that there is not",
      ["pipeline", "export", "--to", "argo", "--options", "o.json", "good.json"],
      'has no option "nmaespace"',
    ],
    [
      "a file of options that is none",
      ["pipeline", "export", "--to", "argo", "--options", "broken.json", "good.json"],
      "--options broken.json: ",
    ],
    [
      "a parameter that there is not",
      ["pipeline", "export", "--to", "argo", "-p", "txet=1", "good.json"],
      "did you mean text?",
    ],
    [
      "sources over the pipeline",
      ["pipeline", "export", "--to", "argo", "--sources", "./good.json", "good.json"],
      "--sources ./good.json: that file is read",
    ],
    [
      "sources over the options",
      ["pipeline", "export", "--to", "argo", "--options", "o.json", "--sources", "./o.json", "good.json"],
      "--sources ./o.json: that file is read",
    ],
    [
      "sources that cannot be written",
      ["pipeline", "export", "--to", "argo", "--sources", "folder", "good.json"],
      "--sources folder: ",
    ],
  ])("%s ends with 2 and one line", async (_, args, message) => {
    const ended = await wye(args, files({ "o.json": '{"nmaespace": "x"}', "broken.json": "{" }));
    expect(ended).toMatchObject({ code: 2, out: "" });
    expect(ended.err).toContain(message);
    expect(ended.err.startsWith("wye: ")).toBe(true);
    expect(ended.err).not.toContain("    at ");
  });
});
