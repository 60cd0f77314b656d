import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { run } from "../src/index.js";
import { makeFolder, shellPipeline } from "./run-program.js";

const bad = shellPipeline("true").replace('"name":"shell"', '"nmae":"shell"');

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
