import { describe, expect, test } from "vitest";
import { numbers } from "./numbers-pipeline.js";
import { folderWith, wye } from "./run-program.js";

// Options given twice, without their values or against each other: none is forgotten, and none is taken for something else.

const nowhere = ["--host", "http://127.0.0.1:9"];
const submit = ["submit", "p.yaml", ...nowhere];
const exported = ["export", "p.yaml", "--to", "argo"];

async function refusal(args: readonly string[]) {
  const { cwd } = folderWith({ "p.yaml": numbers });
  const { code, out, err } = await wye(args, { cwd });
  expect([code, out]).toEqual([2, ""]);
  return err;
}

describe("of what is given twice none is forgotten", () => {
  test.each<[args: string[], says: string]>([
    [[...submit, "-p", "n=1", "-p", "n=2"], 'wye: --parameter n=2: "n" is given twice'],
    [[...submit, "--experiment", "a", "--experiment", "b"], "It is given twice, as a before"],
    [[...submit, "--name", "a", "--name", "a"], "It is given twice, as a before"],
    [[...submit, ...nowhere], "It is given twice, as http://127.0.0.1:9 before"],
    [[...exported, "--namespace", "a", "--namespace", "b"], "It is given twice, as a before"],
    [[...exported, "--driver-image=a", "--driver-image=b"], "It is given twice, as a before"],
    [[...exported, "--target", "2.16", "--target", "2.17"], "It is given twice, as 2.16 before"],
    [[...exported, "--format", "yaml", "--format", "json"], "It is given twice, as yaml before"],
    [["runs", ...nowhere, "--limit", "1", "--limit", "2"], "It is given twice, as 1 before"],
    [["runs", ...nowhere, "--limit", "20", "--limit", "20"], "It is given twice, as 20 before"],
    [["check", "p.yaml", "--format", "json", "--format", "text"], "It is given twice, as json before"],
    [["check", "p.yaml", "--max-problems", "1", "--max-problems", "2"], "It is given twice, as 1 before"],
    [["run", "p.yaml", "--concurrency", "1", "--concurrency", "2"], "It is given twice, as 1 before"],
    [["run", "p.yaml", "--resume", "a", "--resume", "b"], "It is given twice, as a before"],
  ])("pipeline %j", async (args, says) => expect(await refusal(["pipeline", ...args])).toContain(says));

  test("vehicles, too", async () => {
    const args = ["vehicles", "serve", "p.yaml", "--port", "1", "--port", "2"];
    expect(await refusal(args)).toContain("It is given twice, as 1 before");
  });

  test("and what may be repeated may", async () => {
    const { cwd } = folderWith({ "p.yaml": numbers });
    const rules = ["--rule", "task-name-style=off", "--rule", "task-cycle=warning"];
    expect((await wye(["pipeline", "check", "p.yaml", ...rules], { cwd })).code).toBe(0);
    // A switch says the same twice.
    expect((await wye(["pipeline", "check", "p.yaml", "--quiet", "--quiet"], { cwd })).code).toBe(0);
  });
});

describe("nothing stands for something", () => {
  test.each<[args: string[], says: string]>([
    [[...exported, "--namespace", ""], "It is empty"],
    [[...exported, "--driver-image="], "It is empty"],
    [[...exported, "--pipeline-root", ""], "It is empty"],
    [["submit", "p.yaml", "--host", "--wait", "--json"], "--wait is an option, and no value is given"],
    [["submit", "p.yaml", "--name", "--wait"], "--wait is an option, and no value is given"],
    [["submit", "p.yaml", "--name", "-p", "n=1"], "-p is an option, and no value is given"],
    [["runs", "--experiment", "--state", "failed"], "--state is an option, and no value is given"],
    [["wait", "--host", "--json", "x"], "--json is an option, and no value is given"],
    [["runs", "--host", "-h"], "-h is an option, and no value is given"],
    [["runs", "--host", "--hots"], "--hots is no server"],
    [["runs", "--host", "-x"], "-x is no server"],
  ])("pipeline %j", async (args, says) => expect(await refusal(["pipeline", ...args])).toContain(says));

  test("a name may begin with a hyphen", async () => {
    const { cwd } = folderWith({ "p.yaml": numbers });
    const { code, out } = await wye(["pipeline", ...exported, "--display-name", "-x-"], { cwd });
    expect([code, out.includes("- -x-")]).toEqual([0, true]);
  });
});

test.each(["check", "print", "export"])("%s writes JSON or something else, not both", async (command) => {
  const args = ["pipeline", command, "p.yaml", ...(command === "export" ? ["--to", "argo"] : [])];
  const other = command === "check" ? "text" : "yaml";
  expect(await refusal([...args, "--format", other, "--json"])).toContain(
    "'--json' cannot be used with option '--format <name>'",
  );
});
