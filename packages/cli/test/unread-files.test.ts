import { expect, test } from "vitest";
import { folderWith, shellPipeline, wye } from "./run-program.js";

const good = shellPipeline("true");
const bad = good.replace('"name":"shell"', '"nmae":"shell"');

test("a sum that stands alone names its file", async () => {
  const host = folderWith({ "good.json": good, "bad.json": bad });
  const { code, out } = await wye(["pipeline", "check", "--quiet", "bad.json", "good.json"], host);
  expect([code, out]).toEqual([1, expect.stringMatching(/1 error, 1 warning\ngood\.json: 1 warning\n$/)]);
});

test.each([
  ["a file that cannot be read", "no.json", "cannot read no.json: there is no such file"],
  ["a pattern that matches nothing", "no/*.json", "no file matches no/*.json"],
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
