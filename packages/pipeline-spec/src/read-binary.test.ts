import { BinaryWriter } from "@bufbuild/protobuf/wire";
import { describe, expect, test } from "vitest";
import { PipelineSpec, RuntimeConfig, readBinary, readJson } from "./index.js";

const write = (fill: (writer: BinaryWriter) => unknown): Uint8Array => {
  const writer = new BinaryWriter();
  fill(writer);
  return writer.finish();
};

describe("a map key called __proto__", () => {
  // RuntimeConfig.parameter_values["__proto__"] = { polluted: 1 }, as an attacker would write it.
  const one = write((w) => w.uint32(17).double(1));
  const fields = write((w) => w.uint32(10).string("polluted").uint32(18).bytes(one));
  const struct = write((w) => w.uint32(42).bytes(write((inner) => inner.uint32(10).bytes(fields))));
  const entry = write((w) => w.uint32(10).string("__proto__").uint32(18).bytes(struct));
  const hostile = write((w) => w.uint32(26).bytes(entry));

  test("stays data when it is decoded", () => {
    const { parameterValues } = RuntimeConfig.decode(hostile);
    expect(Object.keys(parameterValues)).toEqual(["__proto__"]);
    expect(Object.getPrototypeOf(parameterValues)).toBe(Object.prototype);
    expect(Object.values(parameterValues)).toEqual([{ polluted: 1 }]);
    expect("polluted" in parameterValues).toBe(false);
    expect("polluted" in {}).toBe(false);
  });

  test("is encoded again", () => {
    expect(RuntimeConfig.encode(RuntimeConfig.decode(hostile)).finish()).toEqual(hostile);
  });

  test("stays data in a Struct, in a map of messages, and when a message is created", () => {
    const json = JSON.parse('{"__proto__":{"polluted":1}}');
    const spec = PipelineSpec.create({
      deploymentSpec: json,
      components: JSON.parse('{"__proto__":{"executorLabel":"x"}}'),
    });
    expect(Object.keys(spec.components)).toEqual(["__proto__"]);
    const again = PipelineSpec.decode(PipelineSpec.encode(spec).finish());
    expect(Object.keys(again.components)).toEqual(["__proto__"]);
    expect(Object.keys(again.deploymentSpec ?? {})).toEqual(["__proto__"]);
    expect(Object.getPrototypeOf(again.deploymentSpec)).toBe(Object.prototype);
  });
});

test("a constant that is null survives create", async () => {
  const { ValueOrRuntimeParameter } = await import("./index.js");
  const message = ValueOrRuntimeParameter.create({ value: { $case: "constant", value: null } });
  expect(message.value).toEqual({ $case: "constant", value: null });
  expect(ValueOrRuntimeParameter.decode(ValueOrRuntimeParameter.encode(message).finish())).toEqual(message);
});

describe("tells what it leaves out:", () => {
  const rows: readonly [name: string, bytes: Uint8Array, code: string, path: string, message: RegExp][] = [
    [
      "a reserved field",
      write((w) => w.uint32((3 << 3) | 2).string("old")),
      "reserved-field",
      "",
      /field 3 of PipelineJob is reserved/,
    ],
    [
      "the last reserved field of a range",
      write((w) => w.uint32((10 << 3) | 0).uint32(1)),
      "reserved-field",
      "",
      /field 10/,
    ],
    [
      "an unknown field",
      write((w) => w.uint32((13 << 3) | 1).double(1)),
      "unknown-field",
      "",
      /PipelineJob has no field 13/,
    ],
    [
      "an unknown field that is a group",
      write((w) =>
        w
          .uint32((13 << 3) | 3)
          .uint32((1 << 3) | 0)
          .uint32(5)
          .uint32((13 << 3) | 4),
      ),
      "unknown-field",
      "",
      /13/,
    ],
    [
      "an unknown field of 4 bytes",
      write((w) => w.uint32((13 << 3) | 5).fixed32(1)),
      "unknown-field",
      "",
      /13/,
    ],
    [
      "a field of another type",
      write((w) => w.uint32((1 << 3) | 0).uint32(5)),
      "unknown-field",
      "",
      /"name" is of another type/,
    ],
    [
      "the first of two messages",
      write((w) => w.uint32(98).string("").uint32(98).string("")),
      "duplicate-field",
      "/runtimeConfig",
      /more than once/,
    ],
  ];
  for (const [name, bytes, code, path, message] of rows) {
    test(name, () => {
      const result = readBinary("PipelineJob", bytes);
      expect(result.ok).toBe(true);
      expect(result.problems).toMatchObject([
        { code, path, severity: "warning", message: expect.stringMatching(message) },
      ]);
    });
  }

  test("unknown fields silently, when that is wanted", () => {
    const unknown = write((w) => w.uint32((13 << 3) | 1).double(1));
    expect(readBinary("PipelineJob", unknown, { ignoreUnknownFields: true }).problems).toEqual([]);
  });

  test("deprecated fields as a remark, once in a message", () => {
    const old = RuntimeConfig.encode(
      RuntimeConfig.create({ parameters: { a: { value: { $case: "intValue", value: "1" } }, b: {} } }),
    ).finish();
    expect(readBinary("RuntimeConfig", old).problems).toMatchObject([
      {
        code: "deprecated-field",
        severity: "info",
        path: "/parameters",
        hint: 'use "parameterValues" instead',
      },
    ]);
    expect(readBinary("RuntimeConfig", old, { deprecations: false }).problems).toEqual([]);
  });
});

describe("refuses", () => {
  const deep = (levels: number) => {
    let value: Uint8Array = Uint8Array.of();
    for (let i = 0; i < levels; i++)
      value = write((w) => w.uint32(50).bytes(write((inner) => inner.uint32(10).bytes(value))));
    // PipelineJob.runtime_config.parameter_values["k"]
    const map = write((w) => w.uint32(10).string("k").uint32(18).bytes(value));
    return write((w) => w.uint32(98).bytes(write((inner) => inner.uint32(26).bytes(map))));
  };
  const rows: readonly [name: string, bytes: Uint8Array, code: string, path: string][] = [
    ["a length beyond the end", Uint8Array.of(10, 5, 97), "invalid-binary", "/name"],
    [
      "a length beyond its parent",
      Uint8Array.of(98, 2, 18, 5, 97, 97, 97, 97, 97),
      "invalid-binary",
      "/runtimeConfig/gcsOutputDirectory",
    ],
    ["a number cut off", Uint8Array.of(0x80), "invalid-binary", ""],
    ["a number that never ends", Uint8Array.from({ length: 20 }, () => 0xff), "invalid-binary", ""],
    ["a field with the number 0", Uint8Array.of(0, 0), "invalid-binary", ""],
    ["a wire type that there is not", Uint8Array.of((13 << 3) | 6), "invalid-binary", ""],
    ["the end of a group that has not begun", Uint8Array.of((13 << 3) | 4), "invalid-binary", ""],
    ["a group that ends as another", Uint8Array.of((13 << 3) | 3, (14 << 3) | 4), "invalid-binary", ""],
    ["8 bytes cut off", Uint8Array.of((13 << 3) | 1, 1, 2), "invalid-binary", ""],
    ["text that is not UTF-8", Uint8Array.of(10, 1, 0xff), "invalid-unicode", "/name"],
    ["a map key that is not UTF-8", Uint8Array.of(90, 3, 10, 1, 0xff), "invalid-unicode", "/labels/"],
    [
      "a value nested too deeply",
      deep(200),
      "too-deep",
      `/runtimeConfig/parameterValues/k${"/0".repeat(97)}`,
    ],
  ];
  for (const [name, bytes, code, path] of rows) {
    test(name, () => {
      const result = readBinary("PipelineJob", bytes);
      expect(result.ok).toBe(false);
      expect(result.problems.find(({ severity }) => severity === "error")).toMatchObject({ code, path });
    });
  }

  test("nesting that JSON may have is no problem, and more than the decoder can is told", () => {
    expect(readBinary("PipelineJob", deep(90)).ok).toBe(true);
    const result = readBinary("PipelineJob", deep(250), { maxDepth: 1000 });
    expect(result.problems).toMatchObject([
      { code: "invalid-binary", message: expect.stringContaining("recursion") },
    ]);
  });
});

test("problems that are not listed are counted, from JSON and from bytes", () => {
  const json = { components: { a: { x: 1, y: 2 } }, zzz: 1, sdkVersion: 5 };
  const result = readJson("PipelineSpec", json, { maxProblems: 1 });
  expect(result).toMatchObject({ ok: false, counts: { error: 4, warning: 0, info: 0 } });
  expect(result.problems.map(({ code }) => code)).toEqual(["unknown-field", "too-many-problems"]);
  // Three fields that nobody knows.
  const bytes = new Uint8Array([0xf8, 0x7f, 1, 0xf8, 0x7f, 1, 0xf8, 0x7f, 1]);
  const binary = readBinary("PipelineSpec", bytes, { maxProblems: 1 });
  expect(binary).toMatchObject({ ok: true, counts: { error: 0, warning: 3, info: 0 } });
  expect(binary.problems).toHaveLength(2);
});
