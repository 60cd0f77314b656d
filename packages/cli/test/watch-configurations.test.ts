import { unwatchFile, watchFile, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { run } from "../src/index.js";
import { makeFolder, shellPipeline } from "./run-program.js";

const bad = shellPipeline("true").replace('"name":"shell"', '"nmae":"shell"');

test("check --watch checks once before anything has changed, whatever configurations there could be", {
  timeout: 180_000,
}, async () => {
  const cwd = makeFolder();
  writeFileSync(join(cwd, "one.json"), bad);
  const controller = new AbortController();
  let [out, err] = ["", ""];
  const ended = run(["pipeline", "check", "one.json", "--watch"], {
    cwd,
    env: {},
    readInput: async () => new Uint8Array(),
    interrupted: controller.signal,
    out: { write: (text) => (out += text) },
    err: { write: (text) => (err += text) },
  });
  await expect.poll(() => err, { timeout: 50_000 }).toContain("watching for changes");
  // Of a file that is not there a watcher is told when it was looked for: those that were there before this one have been told by then.
  const missing = join(cwd, "missing");
  onTestFinished(() => unwatchFile(missing));
  await new Promise<void>((told) => watchFile(missing, { interval: 200 }, () => told()));
  controller.abort();
  expect(await ended).toBe(1);
  expect(out.split("error[unknown-field]")).toHaveLength(2);
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
    const cwd = makeFolder();
    writeFileSync(join(cwd, "one.json"), bad);
    const controller = new AbortController();
    let [out, err] = ["", ""];
    const ended = run(["pipeline", "check", "one.json", "--watch"], {
      cwd,
      env: {},
      readInput: async () => new Uint8Array(),
      interrupted: controller.signal,
      out: { write: (text) => (out += text) },
      err: { write: (text) => (err += text) },
    });
    const timeout = 50_000;
    await expect.poll(() => out, { timeout }).toContain("error[unknown-field]");
    const written = (text: string, said: () => string) => () => {
      // The watcher may begin after the first change.
      writeFileSync(join(cwd, name), text);
      return said();
    };
    await expect
      .poll(
        written(mild, () => out),
        { timeout },
      )
      .toContain("info[unknown-field]");
    await expect
      .poll(
        written(wrong, () => err),
        { timeout },
      )
      .toContain('there is no setting "ruless"');
    controller.abort();
    expect(await ended).toBe(2);
  },
);
