import { expect, test } from "vitest";
import { folderWith, shellPipeline, wye } from "./run-program.js";

const good = shellPipeline("true");
const bad = good.replace('"name":"shell"', '"nmae":"shell"');

test("a file is checked once, however often and however it is named", async () => {
  const host = folderWith({ "good.json": good });
  const { out } = await wye(["pipeline", "check", "good.json", "./good.json", "*.json", "--json"], host);
  expect(JSON.parse(out).files.map(({ file }: { readonly file: string }) => file)).toEqual(["good.json"]);
});

test("a sum that stands alone names its file", async () => {
  const host = folderWith({ "good.json": good, "bad.json": bad });
  const { code, out } = await wye(["pipeline", "check", "--quiet", "bad.json", "good.json"], host);
  expect([code, out]).toEqual([1, expect.stringMatching(/1 error, 1 warning\ngood\.json: 1 warning\n$/)]);
});

test.each([
  ["a file that cannot be read", "no.json", "cannot read no.json: there is no such file"],
  ["a pattern that matches nothing", "no/*.json", "no file matches no/*.json"],
  ["a pattern with an escape in it", "no/\u001b*.json", "no file matches no/\\x1b*.json"],
  ["a variable that is not set", "", "the name of a file is empty: is a variable not set?"],
])("%s keeps nobody from the others", async (_, name, missing) => {
  const host = () => folderWith({ "good.json": good, "bad.json": bad });
  const check = (format: string) =>
    wye(["pipeline", "check", "good.json", name, "bad.json", "--format", format], host());

  const text = await check("text");
  expect(text).toMatchObject({ code: 2, err: `wye: ${missing}\n` });
  expect(text.out).toContain("unknown-field");
  expect((await check("github")).out).toContain("unknown-field");
  expect(JSON.parse((await check("json")).out)).toMatchObject({
    ok: false,
    files: [{ file: "good.json" }, { file: "bad.json" }],
    unread: [missing],
  });
  const [run] = JSON.parse((await check("sarif")).out).runs;
  expect(run.results.map(({ ruleId }: { readonly ruleId: string }) => ruleId)).toContain("unknown-field");
  expect(run.invocations).toEqual([
    {
      executionSuccessful: false,
      toolExecutionNotifications: [{ level: "error", message: { text: missing } }],
    },
  ]);
});

test("a configuration that cannot be used is told once, and keeps nobody from the files of others", async () => {
  const mine = { "good.json": good, "wye.config.json": '{"rules":{"unknown-field":"info"}}' };
  const broken = { "b/wye.config.json": "{", "b/one.json": good, "b/deep/two.json": good };
  const host = () => folderWith({ ...mine, "bad.json": bad, ...broken });
  const check = (...args: readonly string[]) =>
    wye(["pipeline", "check", "b/one.json", "good.json", "b/deep/two.json", "bad.json", ...args], host());

  const text = await check();
  expect(text).toMatchObject({
    code: 2,
    err: expect.stringMatching(/^wye: \S+\/b\/wye\.config\.json cannot be loaded: [^\n]*\n$/),
  });
  expect(text.out).toContain("info[unknown-field]");
  expect(JSON.parse((await check("--json")).out)).toMatchObject({
    ok: false,
    files: [{ file: "good.json" }, { file: "bad.json" }],
    unread: [expect.stringContaining("wye.config.json cannot be loaded")],
  });
  // A rule may be one of the configuration that nobody could read.
  const unknown = await check("--rule", "ours=off");
  expect([unknown.code, unknown.out]).toEqual([2, ""]);
  expect(unknown.err).toMatch(/cannot be loaded[^\n]*\nwye: there is no rule "ours"/);
});

test("files of which none could be checked are no report", async () => {
  const host = folderWith({ "wye.config.json": "{", "good.json": good });
  const { code, out } = await wye(["pipeline", "check", "good.json", "no.json", "--json"], host);
  expect([code, out]).toEqual([2, ""]);
});
