import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { ExecutorInput } from "@wye/pipeline-spec";
import { afterEach, describe, expect, test, vi } from "vitest";
import { makeFolder } from "../../test/make-folder.js";
import { dockerArguments, isImage, strayMount } from "./docker-arguments.js";
import type { Work } from "./executor.js";

/** Work that reads artifacts at these places, with the folders of a run. */
function workOf(uris: readonly string[], more: Partial<Work> = {}): Work {
  const run = makeFolder();
  const [folder, shared] = [join(run, "a"), join(run, "workspace")];
  mkdirSync(folder);
  mkdirSync(shared);
  const executorInput = ExecutorInput.create({
    inputs: { artifacts: { data: { artifacts: uris.map((uri) => ({ uri })) } } },
  });
  return {
    // Of the task only the id is asked for.
    task: { id: "loop[0]/a" } as Work["task"],
    ...{ image: "alpine:3", command: ["sh", "-c"], args: ["true"], environment: {} },
    ...{ executorInput, folder, shared },
    ...more,
  };
}

/** What follows each time that an option is there. */
const valuesOf = (line: readonly string[], option: string): readonly (string | undefined)[] =>
  line.flatMap((one, at) => (one === option ? [line[at + 1]] : []));

afterEach(() => void vi.restoreAllMocks());

test("a container has its name, its label, its folders, and then its command", () => {
  const work = workOf([]);
  expect(dockerArguments(work, "wye-1", { user: "7:8" })).toEqual([
    ...["run", "--name", "wye-1", "--label", "wye.run=loop[0]/a", "--pull", "missing", "--init"],
    ...["--user", "7:8", "--workdir", work.folder],
    ...["--mount", `type=bind,source=${work.folder},target=${work.folder}`],
    ...["--mount", `type=bind,source=${work.shared},target=${work.shared}`],
    ...["--env", "HOME=/tmp", "--entrypoint", "sh", "alpine:3", "-c", "true"],
  ]);
});

test("a container without a command has the one of its image", () => {
  const line = dockerArguments(workOf([], { command: [] }), "n", {
    user: "0",
    pull: "always",
    args: ["--rm"],
  });
  expect(line.slice(line.indexOf("--rm"))).toEqual(["--rm", "alpine:3", "true"]);
  expect([line.includes("--entrypoint"), valuesOf(line, "--pull")]).toEqual([false, ["always"]]);
});

describe("the user of a container", () => {
  test.each([
    ["7", ["HOME=/tmp"]],
    ["7:8", ["HOME=/tmp"]],
    ["007", ["HOME=/tmp"]],
    ["10", ["HOME=/tmp"]],
    ["0", []],
    ["0:8", []],
    ["00", []],
    ["root", []],
    ["me7", []],
    ["7me", []],
  ])("%s has as home: %j", (user, home) => {
    const line = dockerArguments(workOf([]), "n", { user });
    expect([valuesOf(line, "--user"), valuesOf(line, "--env")]).toEqual([[user], home]);
  });

  test("is that of this process, where there are users", () => {
    vi.spyOn(process, "getuid").mockReturnValue(12);
    vi.spyOn(process, "getgid").mockReturnValue(34);
    const line = dockerArguments(workOf([]), "n", {});
    expect([valuesOf(line, "--user"), valuesOf(line, "--env")]).toEqual([["12:34"], ["HOME=/tmp"]]);
  });

  test.each(["getuid", "getgid"] as const)("is the one of the image where there is no %s", (name) => {
    const own = process[name];
    Reflect.set(process, name, undefined);
    try {
      const line = dockerArguments(workOf([]), "n", {});
      expect([line.includes("--user"), valuesOf(line, "--env")]).toEqual([false, []]);
    } finally {
      Reflect.set(process, name, own);
    }
  });

  test("has the home that the environment says", () => {
    const environment = { HOME: "/own", A: "b=c" };
    const line = dockerArguments(workOf([], { environment }), "n", { user: "7" });
    expect(valuesOf(line, "--env")).toEqual(["HOME=/own", "A=b=c"]);
  });
});

describe("what a container reads", () => {
  test("is mounted once, read-only, where it is there and not shared anyway", () => {
    const [outside, other, former] = [makeFolder(), makeFolder(), makeFolder()];
    const work = workOf([]);
    const inside = join(work.shared, "b");
    writeFileSync(inside, "");
    const artifacts = [
      outside,
      outside,
      inside,
      join(outside, "nothing"),
      "s3://bucket/key",
      `file://${other}`,
    ];
    const executorInput = ExecutorInput.create({
      inputs: {
        artifacts: {
          data: { artifacts: artifacts.map((uri) => ({ uri })) },
          more: { artifacts: ["s3://bucket/fetched", former].map((uri) => ({ uri, customPath: other })) },
        },
      },
    });
    const line = dockerArguments({ ...work, executorInput }, "n", {});
    expect(valuesOf(line, "--mount").slice(2)).toEqual(
      [outside, other].map((path) => `type=bind,source=${path},target=${path},readonly`),
    );
  });

  test.each([
    ["a,b", (path: string) => `type=bind,"source=${path}","target=${path}",readonly`],
    [
      'a"b',
      (path: string) =>
        `type=bind,"source=${path.replace('"', '""')}","target=${path.replace('"', '""')}",readonly`,
    ],
    ["a\nb", (path: string) => `type=bind,"source=${path}","target=${path}",readonly`],
    ["a b=c", (path: string) => `type=bind,source=${path},target=${path},readonly`],
  ])("is named so that it is one field: %j", (name, mount) => {
    const path = join(makeFolder(), name);
    writeFileSync(path, "");
    expect(valuesOf(dockerArguments(workOf([path]), "n", {}), "--mount").at(-1)).toBe(mount(path));
  });

  test("is nothing where it reads nothing", () => {
    const { inputs: _, ...without } = ExecutorInput.create({});
    const line = dockerArguments(workOf([], { executorInput: without as ExecutorInput }), "n", {});
    expect(valuesOf(line, "--mount")).toHaveLength(2);
  });

  test("strays only in the run itself", () => {
    const outside = makeFolder();
    expect(strayMount(workOf([outside]))).toBeUndefined();
  });

  test.each<[string, (run: string, outside: string) => string, boolean]>([
    ["a file of another task", (run) => join(run, "b", "data"), false],
    ["a link out of the run", (_, outside) => outside, true],
    ["a link to another place of the run", (run) => join(run, "workspace"), true],
    ["a link to what is beside it", (run) => join(run, "b", "data"), false],
  ])("strays where a task has left %s: %s", (what, leadsTo, strays) => {
    const work = workOf([]);
    const run = dirname(work.shared);
    const [folder, outside] = [join(run, "b"), makeFolder()];
    mkdirSync(folder);
    writeFileSync(join(folder, "data"), "");
    const path = what.includes("link") ? join(folder, "link") : join(folder, "data");
    if (what.includes("link")) symlinkSync(leadsTo(run, outside), path);
    const executorInput = ExecutorInput.create({
      inputs: { artifacts: { data: { artifacts: [{ uri: path }] } } },
    });
    expect(strayMount({ ...work, executorInput })).toBe(strays ? path : undefined);
  });
});

test.each([
  ["alpine", true],
  ["7", true],
  ["host:5000/a/b@sha256:0", true],
  ["-v", false],
  ["", false],
  ["a b", false],
  ["a\n", false],
  [" a", false],
])("%j is an image: %s", (text, is) => expect(isImage(text)).toBe(is));
