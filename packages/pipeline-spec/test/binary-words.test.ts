import { describe, expect, test } from "vitest";
import { checkBinary } from "../src/binary-check.js";
import { Reading, type ReadOptions } from "../src/reading.js";
import { pipelineType, tricky } from "./oracle.js";

function found(bytes: readonly number[], options?: ReadOptions, { shape } = tricky.ours): readonly string[] {
  const reading = new Reading(options);
  checkBinary(shape, Uint8Array.from(bytes), reading);
  return reading.list().map(({ severity, code, path, message }) => `${severity} ${code} ${path}: ${message}`);
}

const tag = (number: number, wire: number): number[] => {
  const bytes: number[] = [];
  for (let left = number * 8 + wire; ; left = Math.floor(left / 128)) {
    if (left < 128) return [...bytes, left];
    bytes.push((left % 128) + 128);
  }
};
const part = (number: number, bytes: readonly number[]) => [...tag(number, 2), bytes.length, ...bytes];
const text = (one: string): number[] => [...new TextEncoder().encode(one)];

describe("bytes that cannot be followed say where", () => {
  const rows: readonly [bytes: readonly number[], path: string, message: string][] = [
    [[10, 5, 97], "/displayName", "something is longer than what it is in, at byte 2"],
    [[10, 1], "/displayName", "something is longer than what it is in, at byte 2"],
    [[10], "/displayName", "a number is cut off, at byte 1"],
    [part(27, [10, 2, 97]), "/inner/innerId", "something is longer than what it is in, at byte 5"],
    [[...part(27, [10]), 1, 97], "/inner/innerId", "a number is cut off, at byte 4"],
    [[0x80], "", "a number is cut off, at byte 1"],
    [[32, 0x80], "/enabled", "a number is cut off, at byte 2"],
    [[32, ...new Array<number>(10).fill(0xff)], "/enabled", "a number is longer than 10 bytes, at byte 11"],
    [new Array<number>(20).fill(0xff), "", "a number is longer than 10 bytes, at byte 10"],
    [[0, 0], "", "there is no field with the number 0, at byte 1"],
    [tag(2 ** 29, 0), "", "there is no field with the number 536870912, at byte 5"],
    [tag(200, 6), "", "there is no wire type 6, at byte 2"],
    [tag(200, 7), "", "there is no wire type 7, at byte 2"],
    [tag(200, 4), "", "a group ends that has not begun, at byte 2"],
    [[...tag(200, 3), ...tag(201, 4)], "", "a group ends that has not begun, at byte 4"],
    [[...tag(200, 3), ...tag(201, 3), ...tag(200, 4)], "", "a group ends that has not begun, at byte 6"],
    [tag(200, 3), "", "a number is cut off, at byte 2"],
    [[...tag(200, 3), ...tag(201, 3), ...tag(201, 4)], "", "a number is cut off, at byte 6"],
    [[...tag(200, 3), ...tag(1, 5), 1, 2], "", "a number is cut off, at byte 7"],
    [[...tag(200, 1), 1, 2, 3, 4, 5, 6, 7], "", "a number is cut off, at byte 10"],
    [[...tag(200, 5), 1, 2, 3], "", "a number is cut off, at byte 6"],
    [part(50, [0x80]), "/nums/0", "a number is cut off, at byte 4"],
    [[...part(50, [0x80]), 32, 1], "/nums/0", "a number is cut off, at byte 4"],
    [part(60, [10, 2, 97]), "/labels/", "something is longer than what it is in, at byte 5"],
    [part(60, [10, 1, 97, 18, 1]), "/labels/a", "something is longer than what it is in, at byte 8"],
  ];
  test.each(rows)("%j", (bytes, path, message) => {
    expect(found(bytes).at(0)).toBe(`error invalid-binary ${path}: ${message}`);
  });
});

describe("a field is read in every form that it may have in bytes, and in no other", () => {
  const forms: Readonly<Record<number, readonly number[]>> = {
    0: [0],
    1: [0, 0, 0, 0, 0, 0, 0, 0],
    2: [0],
    5: [0, 0, 0, 0],
  };
  const rows: readonly [number: number, name: string, ...wires: number[]][] = [
    [1, "displayName", 2],
    [2, "named", 2],
    [4, "enabled", 0],
    [5, "data", 2],
    [10, "count", 0, 5],
    [11, "u32", 0, 5],
    [12, "s32", 0, 5],
    [13, "f32", 0, 5],
    [15, "bigCount", 0, 1],
    [16, "ubigCount", 0, 1],
    [19, "sf64", 0, 1],
    [20, "ratio", 1],
    [21, "smallRatio", 5],
    [25, "kind", 0],
    [26, "nothing", 0],
    [27, "inner", 2],
    [30, "maybeText", 2],
    [45, "constant", 2],
    [46, "pause", 2],
    [50, "nums", 0, 2, 5],
    [51, "kinds", 0, 2],
    [52, "inners", 2],
    [53, "names", 2],
    [54, "values", 2],
    [55, "bigs", 0, 1, 2],
    [56, "pauses", 2],
    [60, "labels", 2],
    [62, "byFlag", 2],
    [70, "anyValue", 2],
    [71, "props", 2],
    [72, "items", 2],
    [73, "timeout", 2],
    [74, "packed", 2],
  ];
  for (const [number, name, ...wires] of rows) {
    test(name, () => {
      for (const wire of [0, 1, 2, 5]) {
        const bytes = [...tag(number, wire), ...(forms[wire] ?? [])];
        expect(found(bytes)).toEqual(
          wires.includes(wire)
            ? []
            : [`warning unknown-field : "${name}" is of another type, so it is left out`],
        );
        expect(found(bytes, { ignoreUnknownFields: true })).toEqual([]);
        // What comes behind it is still read.
        expect(found([...bytes, 10, 1, 0xff])).toContain(
          `error invalid-unicode /displayName: the text is not UTF-8`,
        );
      }
    });
  }
});

describe("what stands in bytes is told by its place in JSON", () => {
  const broken = [0xff];
  const value = { text: part(3, broken), struct: (fields: number[]) => part(5, fields) };
  const field = (name: string, bytes: readonly number[]) =>
    part(1, [...part(1, text(name)), ...part(2, bytes)]);
  const rows: readonly [bytes: readonly number[], path: string][] = [
    [part(1, broken), "/displayName"],
    [part(2, broken), "/named"],
    [part(27, part(1, broken)), "/inner/innerId"],
    [part(27, part(2, part(1, broken))), "/inner/child/innerId"],
    [[...part(52, []), ...part(52, part(1, broken))], "/inners/1/innerId"],
    [[...part(53, text("a")), ...part(27, []), ...part(53, broken)], "/names/1"],
    [part(60, [...part(1, text("a/b")), ...part(2, broken)]), "/labels/a~1b"],
    [part(60, [...part(2, text("a")), ...part(1, broken)]), "/labels/"],
    [part(61, [8, 5, ...part(2, part(1, broken))]), "/byIndex/5/innerId"],
    [part(61, [8, 0x80, 1, ...part(2, part(1, broken))]), "/byIndex/128/innerId"],
    [part(61, [13, 1, 0, 0, 0, ...part(2, part(1, broken))]), "/byIndex//innerId"],
    [part(61, [...tag(3, 0), 7, ...part(2, part(1, broken))]), "/byIndex//innerId"],
    [part(70, value.text), "/anyValue"],
    [part(70, value.struct(field("a", value.text))), "/anyValue/a"],
    [part(71, field("b", value.struct(field("c", value.text)))), "/props/b/c"],
    [part(72, [...part(1, []), ...part(1, value.text)]), "/items/1"],
    [part(72, part(1, part(6, [...part(1, []), ...part(1, []), ...part(1, value.text)]))), "/items/0/2"],
    [part(65, [...part(1, text("k")), ...part(2, value.text)]), "/params/k"],
    [part(54, value.text), "/values/0"],
    [part(74, part(1, broken)), "/packed/typeUrl"],
  ];
  test.each(rows)("%j at %s", (bytes, path) => {
    expect(found(bytes)).toEqual([`error invalid-unicode ${path}: the text is not UTF-8`]);
  });

  test("and what is neither the key nor the value of an entry is neither", () => {
    const entry = [...part(1, text("a")), ...part(2, text("b"))];
    expect(found(part(60, [...entry, ...part(3, broken)]))).toEqual([]);
    expect(found(part(60, [...part(3, broken), ...entry]))).toEqual([]);
  });

  test("and a text beyond ASCII is one", () => {
    expect(found([...part(1, text("aé€😀b")), ...part(2, text("\x7f\x80")), ...part(5, broken)])).toEqual([]);
  });
});

describe("what is left out, or taken once", () => {
  const reserved = (number: number) =>
    `warning reserved-field : field ${number} of Tricky is reserved, and left out`;
  const unknown = (number: number) =>
    `warning unknown-field : Tricky has no field ${number}, so it is left out`;
  test.each([
    ...[90, 91, 95, 99].map((number) => [number, reserved(number)] as const),
    ...[89, 96, 98, 100, 2 ** 29 - 1].map((number) => [number, unknown(number)] as const),
  ])("field %d", (number, message) => {
    expect(found([...tag(number, 0), 1])).toEqual([message]);
  });

  test("a message that is there twice, and no text or number", () => {
    const twice = "is here more than once, of which the last is taken";
    expect(found([...part(27, []), ...part(27, [])])).toEqual([
      `warning duplicate-field /inner: "inner" ${twice}`,
    ]);
    expect(found([...part(27, []), ...part(27, []), ...part(27, [])])).toHaveLength(2);
    expect(found([...part(1, []), ...part(1, []), 32, 0, 32, 1, ...part(52, []), ...part(52, [])])).toEqual(
      [],
    );
    expect(found([...part(27, []), ...part(34, [])])).toEqual([]);
  });

  test("a field that is deprecated, once in each message", () => {
    const old = part(80, []);
    const hint = 'info deprecated-field /oldName: "oldName" is deprecated';
    expect(found([...old, ...old])).toEqual([hint]);
    expect(found(old, { deprecations: false })).toEqual([]);
    const old2 = [...part(1, [...part(1, text("a")), ...part(2, [])])];
    const config = pipelineType("RuntimeConfig").ours;
    expect(found([...old2, ...old2], {}, config)).toEqual([
      'info deprecated-field /parameters: "parameters" is deprecated',
    ]);
  });
});

test("levels are counted as in JSON, and what is below the last is not looked at", () => {
  const inner = (levels: number): number[] => (levels === 0 ? part(1, [0xff]) : part(2, inner(levels - 1)));
  expect(found(part(27, inner(1)), { maxDepth: 3 })).toEqual([
    "error invalid-unicode /inner/child/innerId: the text is not UTF-8",
  ]);
  expect(found(part(27, inner(2)), { maxDepth: 3 })).toEqual([
    "error too-deep /inner/child/child: nested deeper than 3 levels",
  ]);
  expect(found([...part(27, inner(2)), ...part(1, [0xff])], { maxDepth: 3 })).toEqual([
    "error too-deep /inner/child/child: nested deeper than 3 levels",
    "error invalid-unicode /displayName: the text is not UTF-8",
  ]);
});
