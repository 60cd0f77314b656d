import { describe, expect, test } from "vitest";
import { defineRule, examplePipeline, type OwnRule, toSarif, validatePipeline } from "../src/index.js";

const pinned: OwnRule = {
  id: "acme/pinned-image",
  summary: "Images have a tag.",
  severity: "warning",
  *check({ executors }) {
    for (const { spec, path } of executors) {
      if (spec.spec?.$case !== "container" || spec.spec.value.image.includes(":")) continue;
      yield { at: `${path}/container/image`, message: "the image has no tag" };
    }
  },
};
const codes = (rule: OwnRule, text = examplePipeline, more = {}) =>
  validatePipeline(text, { rules: [defineRule(rule), more] }).problems.map(
    ({ code, severity }) => `${severity} ${code}`,
  );

describe("an own rule", () => {
  test("finds places with lines, beside the built-in ones", () => {
    const [problem] = validatePipeline(examplePipeline, { rules: [defineRule(pinned)] }).problems;
    expect(problem?.code).toBe("acme/pinned-image");
    expect(examplePipeline.slice(problem?.range?.start.offset, problem?.range?.end.offset)).toBe("busybox");
  });

  test("can be changed in severity, turned off, and disabled by a comment", () => {
    expect(codes(pinned, examplePipeline, { "acme/pinned-image": "error" })).toEqual([
      "error acme/pinned-image",
    ]);
    expect(codes(pinned, examplePipeline, { "acme/pinned-image": "off" })).toEqual([]);
    const comment = "# wye-disable-next-line acme/pinned-image";
    expect(
      codes(
        pinned,
        examplePipeline.replace("        image: busybox", `        ${comment}\n        image: busybox`),
      ),
    ).toEqual([]);
  });

  const broken: Readonly<Record<string, OwnRule["check"]>> = {
    throws: () => {
      throw new Error("no");
    },
    "gives nothing": () => undefined as never,
    "gives rubbish": () => [null] as never,
    "gives a place that is no pointer": () => [{ at: "root", message: "m" }],
    "gives no message": () => [{ at: "", message: "" }],
    "gives a span that ends before it begins": () => [{ at: "", message: "m", span: { start: 5, end: 1 } }],
    "gives a hint that is none": () => [{ at: "", message: "m", hint: 5 as never }],
    "gives names that are none": () => [{ at: "", message: "m", hint: { name: "n", among: 5 as never } }],
    "gives related places that are none": () => [{ at: "", message: "m", related: 5 as never }],
    "gives a related place without message": () => [{ at: "", message: "m", related: [{ at: "" } as never] }],
    "seeks what is no pointer": () => [{ at: "", message: "m", sought: ["x"] }],
    "gives what a finding does not have": () => [{ at: "", message: "m", sevrity: "error" } as never],
    "is about another part": () => [{ at: "", message: "m", part: "name" as never }],
    "throws what is no error": () => {
      throw Object.create(null);
    },
    "is async": (async () => []) as never,
    "is async and fails": (async () => {
      throw new Error("registry down");
    }) as never,
  };
  for (const [name, check] of Object.entries(broken)) {
    test(`that ${name} is an error of its own`, () =>
      expect(codes({ ...pinned, check })).toEqual(["error rule-failed"]));
  }

  const refused: Readonly<Record<string, Partial<OwnRule>>> = {
    "an id in capitals": { id: "Pinned" },
    "the id of a built-in rule": { id: "task-cycle" },
    "no summary": { summary: "" },
    "another severity": { severity: "fatal" as "error" },
    "no function": { check: 5 as never },
    "a member that no rule has": { sevrity: "error" } as Partial<OwnRule>,
  };
  for (const [name, part] of Object.entries(refused)) {
    test(`with ${name} is refused where it is defined`, () => {
      expect(() => defineRule({ ...pinned, ...part })).toThrow(TypeError);
    });
  }

  test("that fails cannot be silenced by the file that is checked", () => {
    const failing = defineRule({ ...pinned, check: broken.throws ?? expect.unreachable() });
    const text = `# wye-disable-next-line rule-failed\n${examplePipeline}`;
    const report = validatePipeline(text, { rules: [failing] });
    expect(report.ok).toBe(false);
    expect(report.problems.map(({ code, message }) => [code, message])).toEqual([
      ["disable-useless", 'no comment disables "rule-failed"'],
      ["rule-failed", "the rule acme/pinned-image failed: no"],
    ]);
    expect(codes(failing, text, { "acme/pinned-image": "off" })).toEqual(["warning disable-useless"]);
  });

  test("that fails leaves open whether comments that disable it are of use", () => {
    const failing = defineRule({ ...pinned, check: broken.throws ?? expect.unreachable() });
    const text = `# wye-disable-next-line acme/pinned-image\n${examplePipeline}`;
    expect(codes(failing, text)).toEqual(["error rule-failed"]);
    const passing = defineRule({ ...pinned, check: () => [] });
    expect(codes(passing, text)).toEqual(["warning disable-useless"]);
  });

  test.each(["rule-failed", "too-many-problems"])(
    "%s is refused as an option, as it would do nothing",
    (id) => {
      expect(() => validatePipeline("", { rules: { [id]: "off" } })).toThrow(`"${id}" cannot be changed`);
    },
  );

  test("may be an object of a class", () => {
    class Pinned implements OwnRule {
      readonly id = "acme/pinned";
      readonly summary = "Images have a tag.";
      readonly severity = "error";
      readonly tag = ":";
      *check({ executors }: Parameters<OwnRule["check"]>[0]) {
        for (const { spec, path } of executors) {
          if (spec.spec?.$case !== "container" || spec.spec.value.image.includes(this.tag)) continue;
          yield { at: `${path}/container/image`, message: "the image has no tag" };
        }
      }
    }
    expect(codes(new Pinned())).toEqual(["error acme/pinned"]);
    expect(validatePipeline(examplePipeline, { rules: [new Pinned()] }).ok).toBe(false);
  });

  test("is described by its summary in SARIF", () => {
    const report = validatePipeline(examplePipeline, { rules: [pinned] });
    const [rule] = toSarif(report).runs[0]?.tool.driver.rules ?? [];
    expect(rule).toMatchObject({ id: pinned.id, shortDescription: { text: pinned.summary } });
  });

  test("of the same id as another one is refused", () => {
    expect(() => validatePipeline("", { rules: [defineRule(pinned), defineRule(pinned)] })).toThrow(
      TypeError,
    );
  });
});
