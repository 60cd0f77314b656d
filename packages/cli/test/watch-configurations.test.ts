import { mkdirSync, rmSync, unwatchFile, watchFile, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { run } from "../src/index.js";
import { folderWith, shellPipeline } from "./run-program.js";

const bad = shellPipeline("true").replace('"name":"shell"', '"nmae":"shell"');

/** Starts watching a file in which a field is misspelt, or others; what is told so far is to be looked at. */
function watching(...names: readonly string[]) {
  const { cwd } = folderWith({ "one.json": bad });
  return { cwd, ...watchingIn(cwd, names) };
}

/** The same in a folder that is there. */
function watchingIn(cwd: string, names: readonly string[]) {
  const controller = new AbortController();
  const told = { out: "", err: "" };
  const ended = run(["pipeline", "check", ...(names.length > 0 ? names : ["one.json"]), "--watch"], {
    cwd,
    env: {},
    readInput: async () => new Uint8Array(),
    interrupted: controller.signal,
    out: { write: (text) => (told.out += text) },
    err: { write: (text) => (told.err += text) },
  });
  return { controller, told, ended };
}

test("check --watch checks once before anything has changed, whatever configurations there could be", {
  timeout: 180_000,
}, async () => {
  const { cwd, controller, told, ended } = watching();
  await expect.poll(() => told.err, { timeout: 50_000 }).toContain("watching for changes");
  // Of a file that is not there a watcher is told when it was looked for: those that were there before this one have been told by then.
  const missing = join(cwd, "missing");
  onTestFinished(() => unwatchFile(missing));
  await new Promise<void>((resolve) => watchFile(missing, { interval: 200 }, () => resolve()));
  controller.abort();
  expect(await ended).toBe(1);
  expect(told.out.split("error[unknown-field]")).toHaveLength(2);
});

test.each([
  ["wye.config.json", '{"rules":{"unknown-field":"info"}}', '{"ruless":{}}'],
  [
    "wye.config.mjs",
    'export default { rules: { "unknown-field": "info" } };',
    "export default { ruless: {} };",
  ],
])(
  "check --watch sees the %s of a file that is made and changed meanwhile",
  { timeout: 180_000 },
  async (name, mild, wrong) => {
    const { cwd, controller, told, ended } = watching();
    const timeout = 50_000;
    await expect.poll(() => told.out, { timeout }).toContain("error[unknown-field]");
    const written = (text: string, said: () => string) => () => {
      // The watcher may begin after the first change.
      writeFileSync(join(cwd, name), text);
      return said();
    };
    await expect
      .poll(
        written(mild, () => told.out),
        { timeout },
      )
      .toContain("info[unknown-field]");
    await expect
      .poll(
        written(wrong, () => told.err),
        { timeout },
      )
      .toContain('there is no setting "ruless"');
    controller.abort();
    expect(await ended).toBe(2);
  },
);

test("check --watch goes on without a rule that is known no more, and ends with 2 as long as it is not", {
  timeout: 180_000,
}, async () => {
  const rule = `{ id: "acme/x", summary: "s.", severity: "warning", *check() { yield { at: "/root", message: "hello" }; } }`;
  const config = { "wye.config.mjs": `export default { rules: [${rule}] };` };
  const { cwd } = folderWith({ "one.json": shellPipeline("true"), ...config });
  const { controller, told, ended } = watchingIn(cwd, ["one.json", "--rule", "acme/x=info"]);
  const timeout = 50_000;
  await expect.poll(() => told.out, { timeout }).toContain("info[acme/x]");
  const gone = () => {
    // The watcher may begin after it was removed.
    writeFileSync(join(cwd, "wye.config.mjs"), config["wye.config.mjs"]);
    rmSync(join(cwd, "wye.config.mjs"));
    return told.err;
  };
  await expect.poll(gone, { timeout, interval: 1000 }).toContain('wye: there is no rule "acme/x"');
  controller.abort();
  expect(await ended).toBe(2);
});

test("check --watch sees files that a pattern comes to match, in folders that are made, and forgets those that are gone", {
  timeout: 180_000,
}, async () => {
  const { cwd, controller, told, ended } = watching("*.json", "later/**/*.json");
  const timeout = 50_000;
  await expect.poll(() => told.err, { timeout }).toContain("no file matches later/**/*.json");
  await expect.poll(() => told.out, { timeout }).toContain("error[unknown-field]");
  mkdirSync(join(cwd, "later", "deep"), { recursive: true });
  writeFileSync(join(cwd, "later", "deep", "two.json"), shellPipeline("true"));
  await expect.poll(() => told.out, { timeout }).toContain("--> later/deep/two.json");
  told.out = told.err = "";
  rmSync(join(cwd, "one.json"));
  await expect.poll(() => told.err, { timeout }).toContain("no file matches *.json");
  expect(told.err).not.toContain("cannot read");
  writeFileSync(join(cwd, "later", "deep", "two.json"), bad);
  await expect.poll(() => told.out, { timeout }).toContain("error[unknown-field]");
  controller.abort();
  expect(await ended).toBe(2);
});

test.each([
  ["with the configurations that there could be for it", [], (above: number) => 1 + 2 * above],
  ["alone where none is to be looked for", ["--no-config"], () => 1],
])("check --watch looks at a file %s", { timeout: 180_000 }, async (_, args, watchersFor) => {
  const watchers = () => process.getActiveResourcesInfo().filter((what) => what === "StatWatcher").length;
  const before = watchers();
  const { cwd, controller, ended } = watching("one.json", ...args);
  const above = cwd.split("/").length;
  await expect.poll(() => watchers() - before, { timeout: 50_000 }).toBe(watchersFor(above));
  controller.abort();
  expect(await ended).toBe(1);
});

test("check --watch waits for files where there are none yet", { timeout: 180_000 }, async () => {
  const { cwd, controller, told, ended } = watching("two*.json");
  const timeout = 50_000;
  await expect.poll(() => told.err, { timeout }).toContain("no file matches two*.json");
  writeFileSync(join(cwd, "two.json"), shellPipeline("true"));
  await expect.poll(() => told.out, { timeout }).toContain("--> two.json");
  controller.abort();
  expect(await ended).toBe(0);
});

test("check --watch tells that a file is gone, and checks it again when it is back", {
  timeout: 180_000,
}, async () => {
  const { cwd, controller, told, ended } = watching("one.json", "other.json");
  const timeout = 50_000;
  await expect.poll(() => told.err, { timeout }).toContain("cannot read other.json");
  await expect.poll(() => told.out, { timeout }).toContain("--> one.json");
  const gone = () => {
    // The watcher may begin after it was removed.
    writeFileSync(join(cwd, "one.json"), bad);
    rmSync(join(cwd, "one.json"));
    return told.err;
  };
  await expect.poll(gone, { timeout, interval: 1000 }).toContain("cannot read one.json");
  told.out = "";
  writeFileSync(join(cwd, "one.json"), shellPipeline("true"));
  await expect.poll(() => told.out, { timeout }).toMatch(/--> one\.json[\s\S]*\n1 warning\n/);
  controller.abort();
  expect(await ended).toBe(2);
});
