import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { built } from "../../../scripts/built.js";
import { makeFolder, shellPipeline } from "./run-program.js";

const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8");
const action = parse(read("action.yml"));
/** The examples of the guide, in its order. */
const [github, gitlab, preCommit] = Array.from(
  read("docs/pipelines/ci.md").matchAll(/```yaml\n(.*?)```/gs),
  ([, block = ""]) => parse(block),
);
const program = built(new URL("..", import.meta.url), "main.js");

const good = shellPipeline(`printf "$2 $3" > "$1"`);
const bad = good.replace('"name":"shell"', '"nmae":"shell"');

/** A folder of pipelines, with an `npx` that writes down what it is asked for and runs the program of this repository. */
function makeWorkspace(files: Readonly<Record<string, string>>): string {
  const folder = makeFolder();
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  mkdirSync(join(folder, "bin"));
  const npx = join(folder, "bin/npx");
  writeFileSync(
    npx,
    `#!/bin/sh\nprintf '%s\\n' "$*" >> "${folder}/asked"\nshift 2\nexec "${process.execPath}" "${program}" "$@"\n`,
  );
  chmodSync(npx, 0o755);
  return folder;
}

describe("a reader that has seen enough", () => {
  const tasks = Array.from({ length: 1000 }, (_, index) => [
    `T_${index}`,
    { componentRef: { name: "gone" } },
  ]);
  const many = JSON.stringify({
    pipelineInfo: { name: "a" },
    root: { dag: { tasks: Object.fromEntries(tasks) } },
  });

  test.each(["text", "json", "github", "sarif"])("does not change the verdict (%s)", (format) => {
    const folder = makeWorkspace({ "many.json": many });
    const check = `npx --yes @wye/cli pipeline check many.json --format ${format}`;
    const { printed } = bash(folder, `set +e; ${check} | head -c 1 > seen; echo "ended: \${PIPESTATUS[0]}"`);
    expect(printed).toBe("ended: 1\n");
  });

  test("is enough for what has none", () => {
    const folder = makeWorkspace({});
    const { printed } = bash(
      folder,
      `set +e; npx --yes @wye/cli pipeline explain --json | head -c 1 > seen; echo "ended: \${PIPESTATUS[0]}"`,
    );
    expect(printed).toBe("ended: 0\n");
  });
});

test.skipIf(!existsSync("/dev/full"))("a full disk is told in a line", () => {
  const folder = makeWorkspace({ "bad.json": bad });
  const { code, printed } = bash(folder, "npx --yes @wye/cli pipeline check bad.json > /dev/full");
  expect(code).toBe(2);
  expect(printed).toMatch(/^wye: cannot write: .*ENOSPC.*\n$/);
});

/** Runs a script as runners do. */
function bash(cwd: string, script: string, env: Readonly<Record<string, string>> = {}) {
  const file = join(cwd, "step.sh");
  writeFileSync(file, script);
  const { status, stdout, stderr } = spawnSync(
    "bash",
    ["--noprofile", "--norc", "-e", "-o", "pipefail", file],
    {
      cwd,
      encoding: "utf8",
      env: { ...env, PATH: `${join(cwd, "bin")}${delimiter}${process.env.PATH}` },
    },
  );
  return { code: status, printed: stdout + stderr };
}

/** Runs the steps of the action, with the inputs as texts. */
function runAction(cwd: string, given: Readonly<Record<string, string>>) {
  const inputs = Object.fromEntries(
    Object.entries<{ default?: string }>(action.inputs).map(([name, { default: value = "" }]) => [
      name,
      given[name] ?? value,
    ]),
  );
  let printed = "";
  for (const { shell, env, run } of action.runs.steps) {
    expect(shell).toBe("bash");
    const filled = Object.entries<string>(env).map(([name, value]) => [
      name,
      value.replace(
        /\$\{\{ inputs\.(\w+) \}\}/g,
        (_, input) => inputs[input] ?? "an input that is not there",
      ),
    ]);
    const ended = bash(cwd, run, Object.fromEntries(filled));
    printed += ended.printed;
    if (ended.code !== 0) return { code: ended.code, printed };
  }
  return { code: 0, printed };
}

describe("the action for GitHub", () => {
  test("is a composite one whose scripts hold no expression that a caller could fill", () => {
    expect(action.runs.using).toBe("composite");
    for (const { run } of action.runs.steps) expect(run).not.toContain("${{");
  });

  test("notes mistakes at their lines and fails", () => {
    const cwd = makeWorkspace({ "good.json": good, "bad.json": bad });
    const { code, printed } = runAction(cwd, { files: "*.json\n" });
    expect(code).toBe(1);
    expect(printed).toMatch(/^::error file=bad\.json,line=1,/m);
    expect(printed).not.toContain("good.json");
  });

  test("succeeds with files without errors, and asks for the version that is wanted", () => {
    const cwd = makeWorkspace({ "good.json": good, "with blank.json": good });
    const { code } = runAction(cwd, { files: "good.json\n\nwith blank.json\n", version: "1.2.3" });
    expect(code).toBe(0);
    expect(readFileSync(join(cwd, "asked"), "utf8")).toBe(
      "--yes @wye/cli@1.2.3 pipeline check --profile kfp --format github -- good.json with blank.json\n",
    );
  });

  test("writes the log for code scanning also when there are errors", () => {
    const cwd = makeWorkspace({ "bad.json": bad });
    const { code, printed } = runAction(cwd, { files: "bad.json", sarif: "logs/wye.sarif" });
    expect([code, printed]).toEqual([1, expect.stringContaining("::error file=bad.json")]);
    const [{ results }] = JSON.parse(readFileSync(join(cwd, "logs/wye.sarif"), "utf8")).runs;
    expect(results.map(({ level }: { level: string }) => level)).toContain("error");
  });

  test("notes what it finds although a file cannot be read", () => {
    const cwd = makeWorkspace({ "bad.json": bad });
    const { code, printed } = runAction(cwd, { files: "none.json\nbad.json", sarif: "wye.sarif" });
    expect([code, printed]).toEqual([2, expect.stringContaining("::error file=bad.json")]);
    expect(printed.match(/cannot read none\.json/g)).toHaveLength(1);
  });

  test("hands on changes of rules and the profile", () => {
    const cwd = makeWorkspace({ "good.json": good });
    const { code, printed } = runAction(cwd, {
      files: "good.json",
      profile: "spec",
      rules: "component-unused=off\nno-such-rule=off",
    });
    expect([code, printed]).toEqual([2, expect.stringContaining('there is no rule "no-such-rule"')]);
  });

  test.each([
    ["no file", "\n", "the input 'files' is empty"],
    ["a pattern without matches", "none/*.yaml", "no file matches none/*.yaml"],
    ["what looks like an option", "--watch", "--watch"],
    ["what the shell would run", '$(touch "hit")', '$(touch "hit")'],
  ])("with %s ends with 2 and says why", (_, files, message) => {
    const cwd = makeWorkspace({});
    const { code, printed } = runAction(cwd, { files, sarif: "wye.sarif" });
    expect([code, printed]).toEqual([2, expect.stringContaining(message)]);
    expect(() => readFileSync(join(cwd, "hit"))).toThrow("ENOENT");
  });
});

describe("the examples of the guide", () => {
  const pipelines = (text: string) => ({ "pipelines/deep/one.yaml": text });

  test("give the action what it takes", () => {
    const used = github.jobs.pipelines.steps.find(({ uses = "" }) => uses.startsWith("wye/wye@"));
    expect(Object.keys(action.inputs)).toEqual(expect.arrayContaining(Object.keys(used.with)));
    const cwd = makeWorkspace(pipelines(bad));
    expect(runAction(cwd, used.with)).toEqual({
      code: 1,
      printed: expect.stringContaining("file=pipelines/deep/one.yaml"),
    });
  });

  test.each([
    ["good", good, 0],
    ["bad", bad, 1],
  ])("check %s pipelines on GitLab", (_, text, code) => {
    expect(bash(makeWorkspace(pipelines(text)), gitlab.pipelines.script).code).toBe(code);
  });

  test("check what is committed", () => {
    const [hook] = preCommit.repos[0].hooks;
    expect(hook).toMatchObject({ language: "node", additional_dependencies: ["@wye/cli"] });
    const cwd = makeWorkspace(pipelines(bad));
    const [name = ""] = Object.keys(pipelines(bad));
    expect(new RegExp(hook.files).test(name)).toBe(true);
    const { code, printed } = bash(cwd, `npx --yes @wye/cli ${hook.entry.replace("wye ", "")} ${name}`);
    expect([code, printed]).toEqual([1, expect.stringContaining(`${name}:1:`)]);
  });
});
