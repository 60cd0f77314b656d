import { describe, expect, test } from "vitest";
import {
  defineRule,
  examplePipeline,
  ruleCatalogue,
  toSarif,
  type ValidateOptions,
  validatePipeline,
} from "../src/index.js";

/** The images of the example pipeline have no tag, which is a matter of style. */
const found = (options: ValidateOptions) =>
  validatePipeline(examplePipeline, options).problems.map(({ code, severity }) => `${severity} ${code}`);
const unpinned = ruleCatalogue()
  .flatMap(({ rules }) => rules)
  .find(({ id }) => id === "image-unpinned");

describe("rules of style", () => {
  test("are off unless they are asked for, and give remarks then", () => {
    expect(found({})).toEqual([]);
    expect(found({ style: false })).toEqual([]);
    expect(new Set(found({ style: true }))).toEqual(new Set(["info image-unpinned"]));
    expect(validatePipeline(examplePipeline, { style: true }).ok).toBe(true);
  });

  test("hold under both profiles, and can be changed in severity one by one", () => {
    expect(new Set(found({ profile: "spec", style: true }))).toEqual(new Set(["info image-unpinned"]));
    expect(new Set(found({ rules: { "image-unpinned": "error" } }))).toEqual(
      new Set(["error image-unpinned"]),
    );
    expect(found({ style: true, rules: { "image-unpinned": "off" } })).toEqual([]);
  });

  test("are what other rules can be made to, and own ones be", () => {
    const odd = examplePipeline.replaceAll("prepare", "Prepare-it");
    const rules = { "task-name-style": "style", "component-name-style": "off" } as const;
    expect(validatePipeline(odd, { rules }).problems).toEqual([]);
    const codes = validatePipeline(odd, {
      rules: { ...rules, "image-unpinned": "off" },
      style: true,
    }).problems;
    expect(new Set(codes.map(({ code, severity }) => `${severity} ${code}`))).toEqual(
      new Set(["info task-name-style"]),
    );
    const check = () => [{ at: "/root", message: "m" }];
    const own = defineRule({ id: "acme/x", summary: "X.", severity: "style", check });
    expect(found({ rules: [own] })).toEqual([]);
    expect(found({ rules: [own, { "image-unpinned": "off" }], style: true })).toEqual(["info acme/x"]);
  });

  test("are told from others in the catalogue and in SARIF", () => {
    expect(unpinned?.severity).toEqual({ kfp: "style", spec: "style" });
    const [run] = toSarif(validatePipeline(examplePipeline, { style: true })).runs;
    expect(run?.tool.driver.rules.map(({ defaultConfiguration }) => defaultConfiguration)).toEqual([
      { enabled: false, level: "note" },
    ]);
    expect(new Set(run?.results.map(({ level }) => level))).toEqual(new Set(["note"]));
  });

  test("are disabled by comments like others, and such comments are not useless only because style is off", () => {
    const comment = "# wye-disable-next-line image-unpinned";
    const text = examplePipeline.replaceAll(/^( +)image: busybox$/gm, `$1${comment}\n$1image: busybox`);
    expect(validatePipeline(text, { style: true }).problems).toEqual([]);
    expect(validatePipeline(text).problems).toEqual([]);
  });
});

describe("an image may be another one tomorrow", () => {
  const said = (image: string) =>
    validatePipeline(
      examplePipeline
        .replaceAll("image: python:3.12", "image: a:1")
        .replace("image: busybox", `image: '${image}'`),
      { style: true },
    )
      .problems.filter(({ code }) => code === "image-unpinned")
      .map(({ path, message, hint }) => `${path}: ${message.replace(/^".*"/, "it")}, ${hint}`);

  test.each([
    "busybox",
    "busybox:latest",
    "registry:5000/busybox",
    "registry:5000/busybox:latest",
    `busybox:${"1".repeat(129)}`,
  ])("%s", (image) => {
    const path = "/deploymentSpec/executors/exec-report/container/image";
    expect(said(image)).toEqual([
      `${path}: it may be another image tomorrow, add a tag such as :1.2, or a digest`,
    ]);
  });

  test.each([
    "",
    "busybox:1",
    "busybox:latest-1",
    "registry:5000/busybox:1",
    `busybox:${"1".repeat(128)}`,
    `busybox@sha256:${"0".repeat(64)}`,
    "{{$.inputs.parameters['message']}}",
    "argostub/createpvc",
  ])("but not %s", (image) => {
    expect(said(image.replaceAll("'", "''"))).toEqual([]);
  });
});
