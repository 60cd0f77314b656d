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

  test("is an error where it says so, also of what no run comes to", () => {
    const text = examplePipeline.replace(
      "    exec-report:\n",
      "    exec-old: {container: {image: old}}\n    exec-report:\n",
    );
    const strict: OwnRule = { ...pinned, severity: "error" };
    const found = codes(strict, text).filter((one) => one.includes("acme"));
    expect(found).toEqual(["error acme/pinned-image", "error acme/pinned-image"]);
  });

  test("cannot be changed behind its back once it is defined", () => {
    expect(Object.isFrozen(defineRule(pinned))).toBe(true);
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

  const thrown = (value: unknown) => () => {
    throw value;
  };
  const one = (more: object) => () => [{ at: "", message: "m", ...more }];
  const throws = thrown(new Error("no"));
  const place = "a finding has a pointer `at`, such as /root/dag";
  const part = "the part of a finding is key or value";
  const hint = "the hint of a finding is a text, or names that may have been meant";
  const sought = "what a finding has sought are pointers";
  const related = "what is related to a finding is a list of places with messages";
  const span = "the span of a finding goes from a start to an end behind it";
  const broken: readonly (readonly [name: string, check: unknown, told: string])[] = [
    ["throws", throws, "no"],
    ["throws what is no error", thrown(Object.create(null)), "it throws an object"],
    ["throws a text", thrown("no"), 'it throws the text "no"'],
    ["gives nothing", () => undefined, "its check gives a value of type undefined instead of findings"],
    ["gives one finding", () => ({ at: "", message: "m" }), "its check gives an object instead of findings"],
    ["gives rubbish", () => [null], "it gives null as a finding"],
    ["gives a text", () => ["no"], 'it gives the text "no" as a finding'],
    ["gives a place that is no pointer", one({ at: "root" }), place],
    ["gives a place that is no text", one({ at: 5 }), place],
    ["gives no message", one({ message: "" }), "a finding has a message"],
    ["gives a message that is no text", one({ message: 5 }), "a finding has a message"],
    ["gives a span that ends before it begins", one({ span: { start: 5, end: 4 } }), span],
    ["gives a span that begins too early", one({ span: { start: -1, end: 4 } }), span],
    ["gives a hint that is none", one({ hint: 5 }), hint],
    ["gives names that are none", one({ hint: { name: "n", among: 5 } }), hint],
    ["gives no names at all", one({ hint: { name: "n", among: null } }), hint],
    ["gives names for no name", one({ hint: { among: ["a"] } }), hint],
    ["gives names for what is no name", one({ hint: { name: 5, among: ["a"] } }), hint],
    ["gives null as a hint", one({ hint: null }), hint],
    ["gives related places that are none", one({ related: 5 }), related],
    ["gives a related place that is none", one({ related: [null] }), related],
    ["gives a related place without message", one({ related: [{ at: "" }] }), related],
    ["gives a related place without pointer", one({ related: [{ message: "m" }] }), related],
    [
      "gives a related place in another part",
      one({ related: [{ at: "", message: "m", part: "x" }] }),
      related,
    ],
    ["seeks what is no pointer", one({ sought: ["/a", "x"] }), sought],
    ["seeks what is no list", one({ sought: "/a" }), sought],
    [
      "gives what a finding does not have",
      one({ sevrity: "error" }),
      'a finding has no option "sevrity": it has at, part, span, message, hint, related, sought',
    ],
    ["is about another part", one({ part: "name" }), part],
    [
      "is async",
      async () => [],
      "its check is async: a rule looks at what is there, and yields findings at once",
    ],
    [
      "is async and fails",
      async () => thrown(new Error("registry down"))(),
      "its check is async: a rule looks at what is there, and yields findings at once",
    ],
  ];
  test.each(broken)("that %s is an error of its own", (_, check, told) => {
    const rule = defineRule({ ...pinned, check: check as OwnRule["check"] });
    const { ok, problems } = validatePipeline(examplePipeline, { rules: [rule] });
    const message = `the rule acme/pinned-image failed: ${told}`;
    expect(ok).toBe(false);
    expect(problems.map(({ range: _, ...problem }) => problem)).toEqual([
      { code: "rule-failed", severity: "error", path: "", message, hint: "mend the rule, or turn it off" },
    ]);
  });

  test.each([
    [
      "all that a finding may have",
      {
        part: "key",
        span: { start: 0, end: 1 },
        hint: "h",
        sought: ["", "/a"],
        related: [{ at: "/root", part: "value", message: "r" }],
      },
    ],
    ["names that may have been meant", { hint: { name: "n", among: ["a"] } }],
    ["names of an object that is not there", { hint: { name: "n", among: undefined } }],
    ["a span of nothing", { span: { start: 0, end: 0 } }],
    [
      "nothing that is optional",
      { part: undefined, span: undefined, hint: undefined, sought: undefined, related: undefined },
    ],
  ])("may give %s", (_, more) => {
    expect(codes({ ...pinned, check: one(more) as OwnRule["check"] })).toEqual(["warning acme/pinned-image"]);
  });

  test("may give findings of a class, which has more than a finding", () => {
    class Seen {
      readonly at = "";
      readonly message = "m";
      readonly weight = 5;
    }
    expect(codes({ ...pinned, check: () => [new Seen()] })).toEqual(["warning acme/pinned-image"]);
  });

  const severity = 'rule acme/pinned-image: a severity is "error", "warning", "info", "style" or "off"';
  const id = 'defineRule: the id of a rule is lower-case words joined by "-" or "/", not ';
  const taken = (id: string) => `there is already a rule "${id}": give yours a prefix, such as acme/${id}`;
  const summary = "rule acme/pinned-image: a summary is a sentence";
  const refused: readonly (readonly [name: string, part: object, message: string])[] = [
    ["an id in capitals", { id: "Pinned" }, `${id}"Pinned"`],
    ["an id that ends with a slash", { id: "acme/" }, `${id}"acme/"`],
    ["an id that begins with a dash", { id: "-a" }, `${id}"-a"`],
    ["an id with two dashes", { id: "a--b" }, `${id}"a--b"`],
    ["no id", { id: undefined }, `${id}undefined`],
    ["the id of a built-in rule", { id: "task-cycle" }, taken("task-cycle")],
    ["the id of a problem of form", { id: "wrong-type" }, taken("wrong-type")],
    ["no summary", { summary: "" }, summary],
    ["a summary that is no text", { summary: 5 }, summary],
    ["another severity", { severity: "fatal" }, severity],
    ["no function", { check: 5 }, "rule acme/pinned-image: check is a function that yields findings"],
    [
      "a member that no rule has",
      { sevrity: "error" },
      'the rule acme/pinned-image has no option "sevrity": did you mean "severity"?',
    ],
  ];
  test.each(refused)("with %s is refused where it is defined", (_, part, message) => {
    expect(() => defineRule({ ...pinned, ...part })).toThrow(new TypeError(message));
  });

  test("is an object", () => {
    expect(() => defineRule(5 as never)).toThrow(new TypeError("defineRule takes a rule, not the number 5"));
  });

  test("that fails cannot be silenced by the file that is checked", () => {
    const failing = defineRule({ ...pinned, check: throws });
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
    const failing = defineRule({ ...pinned, check: throws });
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

describe("rules in the options", () => {
  test("that have only a part of what a rule is are refused with what they lack", () => {
    const given = (rule: object) => () => validatePipeline(examplePipeline, { rules: [rule as OwnRule] });
    expect(given({ id: "acme/x" })).toThrow(new TypeError("rule acme/x: a summary is a sentence"));
    expect(given({ ...pinned, more: 1 })).toThrow('the rule acme/pinned-image has no option "more"');
  });

  test("go on behind one that is turned off", () => {
    const other = { ...pinned, id: "acme/other" };
    const rules = [pinned, other, { "acme/pinned-image": "off" as const }];
    expect(validatePipeline(examplePipeline, { rules }).problems.map(({ code }) => code)).toEqual([
      "acme/other",
    ]);
  });

  test("are not said to be called like what cannot be turned off", () => {
    const rules = { "rule-faild": "off" as const };
    expect(() => validatePipeline(examplePipeline, { rules })).toThrow(
      new TypeError('there is no rule "rule-faild"'),
    );
  });
});
