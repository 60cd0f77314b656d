import { expect, test } from "vitest";
import { folderWith, shellPipeline, wye } from "./run-program.js";

const good = shellPipeline("true");
const bad = good.replace('"name":"shell"', '"nmae":"shell"');

test("a file that cannot be read keeps nobody from the others", async () => {
  const host = () => folderWith({ "good.json": good, "bad.json": bad });
  const missing = "cannot read no.json: there is no such file";
  const check = (format: string) =>
    wye(["pipeline", "check", "good.json", "no.json", "bad.json", "--format", format], host());

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
