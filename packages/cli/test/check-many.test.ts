import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { run } from "../src/index.js";
import { folderWith, makeFolder, shellPipeline, wye } from "./run-program.js";

const good = shellPipeline(`printf "$2 $3" > "$1"`);
const bad = good.replace('"name":"shell"', '"nmae":"shell"');
const cyclic = good.replace(
  '"taskInfo":{"name":"only"}',
  '"taskInfo":{"name":"only"},"dependentTasks":["only"]',
);

test("takes a configuration that begins with a byte order mark", async () => {
  const cwd = makeFolder();
  writeFileSync(join(cwd, "wye.config.json"), `\ufeff{"profile": "spec"}`);
  writeFileSync(join(cwd, "good.json"), good);
  expect(await wye(["pipeline", "check", "good.json"], { cwd })).toMatchObject({ code: 0, err: "" });
});

test("takes for each file the configuration nearest to it, wherever the program is started", async () => {
  const folder = makeFolder();
  for (const name of ["strict", "lax", "elsewhere"]) mkdirSync(join(folder, name));
  writeFileSync(join(folder, "lax", "wye.config.json"), `{"rules":{"task-cycle":"warning"}}`);
  writeFileSync(join(folder, "elsewhere", "wye.config.json"), `{"rules":{"task-cycle":"off"}}`);
  const names = ["cyclic.json", "strict/cyclic.json", "lax/cyclic.json"];
  for (const name of names) writeFileSync(join(folder, name), cyclic);
  const paths = names.map((name) => `../${name}`);
  const { out } = await wye(["pipeline", "check", ...paths, "--json"], { cwd: join(folder, "elsewhere") });
  const files: readonly { readonly problems: readonly { code: string; severity: string }[] }[] =
    JSON.parse(out).files;
  const found = files.map(({ problems }) => problems.find(({ code }) => code === "task-cycle")?.severity);
  expect(found).toEqual(["error", "error", "warning"]);
});

test("an option for a rule of one configuration leaves files alone that another one holds for", async () => {
  const cwd = makeFolder();
  for (const name of ["own", "other"]) mkdirSync(join(cwd, name));
  const rule = `{ id: "acme/x", summary: "s.", severity: "warning", *check() { yield { at: "/root", message: "hello" }; } }`;
  writeFileSync(join(cwd, "own", "wye.config.mjs"), `export default { rules: [${rule}] };`);
  const names = ["own/good.json", "other/good.json"];
  for (const name of names) writeFileSync(join(cwd, name), good);
  const check = (...more: readonly string[]) => wye(["pipeline", "check", ...more], { cwd });

  const { code, out, err } = await check(...names, "--rule", "acme/x=error", "--json");
  expect([code, err]).toEqual([1, ""]);
  const files: readonly { readonly problems: readonly { code: string; severity: string }[] }[] =
    JSON.parse(out).files;
  expect(
    files.map(({ problems }) => problems.map((problem) => `${problem.severity} ${problem.code}`)),
  ).toEqual([["error acme/x"], []]);
  expect(await check("other/good.json", "--rule", "acme/x=error")).toMatchObject({
    code: 2,
    err: expect.stringContaining(
      'there is no rule "acme/x"; `wye pipeline explain` lists all; rules of your own',
    ),
  });
  expect((await check(...names, "--rule", "acme/y=error")).err).toContain("did you mean acme/x?");
});

test("prints each file before the next one is opened, however many there are", async () => {
  const names = Array.from({ length: 30 }, (_, i) => `p${String(i).padStart(2, "0")}.json`);
  const cwd = makeFolder();
  for (const name of names) writeFileSync(join(cwd, name), bad);
  let out = "";
  const printed = () => [...new Set([...out.matchAll(/--> (p\d+\.json|<stdin>)/g)].map(([, name]) => name))];
  let before: readonly unknown[] = [];
  const code = await run(["pipeline", "check", "p0*.json", "-", "p[12]*.json"], {
    cwd,
    env: {},
    readInput: async () => {
      before = printed();
      return Buffer.from(bad);
    },
    interrupted: new AbortController().signal,
    out: { write: (text) => (out += text) },
    err: { write: () => undefined },
  });
  expect([code, before]).toEqual([1, names.slice(0, 10)]);
  expect(printed()).toEqual([...names.slice(0, 10), "<stdin>", ...names.slice(10)]);
});

test("a pattern passes over no link that leads nowhere", async () => {
  const host = folderWith({ "all/good.json": shellPipeline("date") });
  const check = (...names: string[]) => wye(["pipeline", "check", ...names], host);
  symlinkSync("good.json", join(host.cwd, "all/link.json"));
  expect((await check("all/*.json")).code).toBe(0);
  symlinkSync("nowhere", join(host.cwd, "all/dangling.json"));
  const ended = await check("all/*.json");
  expect(ended.code).toBe(2);
  expect(ended.err).toContain("cannot read all/dangling.json: there is no such file");
});

test.each([
  [undefined, [], 1],
  [undefined, ["--profile", "spec"], 0],
  ["spec", [], 0],
  ["spec", ["--profile", "kfp"], 1],
  ["kfp", ["--profile", "spec"], 0],
  ["spec", ["--no-config"], 1],
  ["spec", ["--rule", "pipeline-name-unusable=error"], 1],
])(
  "with the profile %s in its configuration and %j a file ends a check with %i",
  async (profile, args, code) => {
    const named = good.replace('"pipelineInfo":{"name":"shell"}', '"pipelineInfo":{"name":"SHELL"}');
    const config = profile === undefined ? {} : { "wye.config.json": JSON.stringify({ profile }) };
    const host = folderWith({ "named.json": named, ...config });
    expect((await wye(["pipeline", "check", "named.json", ...args], host)).code).toBe(code);
    expect((await wye(["pipeline", "check", "-", ...args], { ...host, input: named })).code).toBe(code);
  },
);

test("one file that is wrong is enough, whatever comes after it, and one that cannot be read says more", async () => {
  const host = folderWith({ "bad.json": bad, "good.json": good });
  const codeOf = async (...names: readonly string[]) =>
    (await wye(["pipeline", "check", ...names], host)).code;
  expect(await codeOf("bad.json", "good.json")).toBe(1);
  expect(await codeOf("bad.json", "none.json", "good.json")).toBe(2);
  expect(await codeOf("none*.json", "good.json")).toBe(2);
});

test("the standard input is not watched, wherever it stands", async () => {
  const host = folderWith({ "good.json": good });
  for (const names of [["-"], ["good.json", "-"]]) {
    const { code, err } = await wye(["pipeline", "check", ...names, "--watch"], host);
    expect([code, err]).toEqual([2, "wye: --watch cannot watch the standard input\n"]);
  }
});

test("a file is checked once, by the name that it is first given", async () => {
  const host = folderWith({ "a/good.json": good, "a/-": good });
  const names = ["./a/good.json", "a/good.json", "a/*.json", "-", "-"];
  const { out } = await wye(["pipeline", "check", "--json", ...names], { ...host, input: good });
  const files: readonly { readonly file: string }[] = JSON.parse(out).files;
  expect(files.map(({ file }) => file)).toEqual(["./a/good.json", "<stdin>"]);
});

test("a file that is called like the standard input is checked by its path", async () => {
  const host = folderWith({ "-": bad });
  expect((await wye(["pipeline", "check", "-"], { ...host, input: good })).code).toBe(0);
  expect((await wye(["pipeline", "check", "./-"], { ...host, input: good })).code).toBe(1);
  const both = await wye(["pipeline", "check", "-", "./-", "--json"], { ...host, input: good });
  expect(JSON.parse(both.out)).toMatchObject({ files: [{ file: "<stdin>" }, { file: "./-" }] });
});

test.each(["task-cycle", "task-cycle=", "task-cycle=Off", "task-cycle=off=x"])(
  "a rule is written with one severity, not as %s",
  async (rule) => {
    const host = folderWith({ "good.json": good });
    const { code, err } = await wye(["pipeline", "check", "good.json", "--rule", rule], host);
    const message = `wye: --rule ${rule}: write task-cycle=off, or info, warning, error\n`;
    expect([code, err]).toEqual([2, message]);
  },
);
