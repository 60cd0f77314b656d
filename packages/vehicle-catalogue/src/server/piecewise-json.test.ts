import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { parsedPiecewise } from "./piecewise-json.js";

/** What comes of a text that is cut into pieces of these lengths, over and over. */
function parsed(text: string, lengths: readonly number[] = [1 << 20]): unknown {
  const bytes = new TextEncoder().encode(text);
  const parsing = parsedPiecewise();
  let step = parsing.next();
  for (let [at, turn] = [0, 0]; step.done !== true; turn++) {
    const length = lengths[turn % lengths.length] ?? 1;
    step = parsing.next(bytes.slice(at, at + length));
    at += length;
  }
  return step.value;
}

const lengths = fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1, maxLength: 5 });

function outcome(read: () => unknown): unknown {
  try {
    return { read: read() };
  } catch (error) {
    return error instanceof SyntaxError ? "refused" : error;
  }
}

describe("what comes in pieces says what it says as a whole", () => {
  test.each([
    "[]",
    " [ ] ",
    "{}",
    " { }\n",
    "[1]",
    '[1, 2 ,"a,]b"]',
    '[{"a":[1,{"b":"\\"]}"}]},{"c":"\\\\"}]',
    '{"vehicles":[]}',
    ' { "vehicles" : [ {"id":"ä🚗"} , null ] , "a" : 1 } \n',
    '{"meta":{"a":[1]},"data":[[1],[2]],"brands":[{"id":"b"}],"last":"x"}',
    '{"a":[1],"a":2,"2":0,"1":[]}',
    '{"a\\"\\\\":[1]}',
    '{"__proto__":[1],"constructor":{"a":1}}',
    '[{"__proto__":1}]',
    `[${'"\\\\\\"",'.repeat(20)}0]`,
  ])("%s", (text) => {
    for (const some of [[1 << 20], [1]]) {
      expect(JSON.stringify(parsed(text, some))).toBe(JSON.stringify(JSON.parse(text)));
    }
  });

  test("and equal lists and objects within the items of a list are one and the same", () => {
    const item = '{"ports":["ccs"],"curve":{"at":1}}';
    for (const text of [`[${item},${item},${item}]`, `{"a":[${item},${item},${item}]}`]) {
      const read = parsed(text);
      const [first, ...others] = (Array.isArray(read) ? read : Object(read).a) as Record<string, unknown>[];
      expect(others).toHaveLength(2);
      for (const other of others) {
        expect(other.ports).toBe(first?.ports);
        expect(other.curve).toBe(first?.curve);
      }
    }
  });

  test("values much longer than its pieces", () => {
    const text = `["${"x".repeat(200_000)}",${"[".repeat(2000)}${"]".repeat(2000)},"${"\\\\".repeat(70_000)}"]`;
    for (const some of [[1 << 20], [4096], [4095]]) {
      expect(JSON.stringify(parsed(text, some)) === JSON.stringify(JSON.parse(text))).toBe(true);
    }
  });

  /** Records that begin alike, with much in them that looks like the border of two. */
  const record = fc.letrec<{ value: unknown; record: object }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 3, depthSize: "small" },
      fc.constantFrom<unknown>(1, null, "x", '},{"id":', '}\n ,{ "id" :', '\\"},{"id":1', "ä🚗"),
      fc.array(tie("record"), { maxLength: 3 }),
      tie("record"),
    ),
    record: fc
      .tuple(fc.constantFrom("id", "id", "id", "type"), tie("value"), tie("value"))
      .map(([name, first, second]) => ({ [name]: first, b: second })),
  })).record;

  test("records that begin alike, whatever looks like their borders", () => {
    const list = fc.tuple(fc.array(record, { maxLength: 12 }), fc.constantFrom(undefined, 1, "\n"));
    const text = fc.oneof(
      list.map(([records, space]) => JSON.stringify(records, null, space)),
      fc.tuple(list, list).map(([[a, space], [b]]) => JSON.stringify({ a, b, c: 1 }, null, space)),
    );
    fc.assert(
      fc.property(text, fc.oneof(lengths, fc.constant([1 << 20])), (whole, some) => {
        expect(JSON.stringify(parsed(whole, some))).toBe(JSON.stringify(JSON.parse(whole)));
      }),
      { seed: 17, numRuns: 2000 },
    );
  });

  test("whatever is in it, and wherever it is cut", () => {
    const items = fc.array(fc.json()).map((list) => `[${list.join(" ,")}]`);
    const member = fc.tuple(fc.string(), fc.oneof(items, fc.json()));
    const object = fc
      .array(member)
      .map((list) => `{${list.map(([name, value]) => `${JSON.stringify(name)}\t:${value}`).join(",\n")}}`);
    fc.assert(
      fc.property(fc.oneof(items, object), lengths, (text, some) => {
        expect(JSON.stringify(parsed(text, some))).toBe(JSON.stringify(JSON.parse(text)));
      }),
      { seed: 17, numRuns: 1000 },
    );
  });
});

describe("what is neither a list nor an object is left to those who see the whole", () => {
  test.each(["", " ", "1", '"[1]"', "null", "\ufeff[1]"])("%j", (text) =>
    expect(() => parsed(text)).toThrow(SyntaxError),
  );
});

describe("what is no JSON", () => {
  test.each([
    "[1",
    '["a',
    "[1,]",
    "[,1]",
    "[,]",
    "[1,,2]",
    "[1 2]",
    "[{]}]",
    "[a]",
    '["\\x"]',
    "[\ufeff1]",
    "[\u00a0]",
    "[1]]",
    "[1] 2",
    "[1}",
    "[}",
    '{"vehicles":[1]]',
    '{"vehicles":[1]',
    '{"a":[1] "b":2}',
    '{"a":[1],}',
    "{,}",
    '{"a"}',
    '{"a" 1}',
    '{"a":}',
    '{"a":1 2}',
    "{a:1}",
    '{"a\n":1}',
    '{"a":[1]:2}',
  ])("is refused as JSON.parse refuses it: %s", (text) => {
    expect(() => JSON.parse(text)).toThrow(SyntaxError);
    for (const some of [[1 << 20], [1]]) expect(() => parsed(text, some)).toThrow(SyntaxError);
  });

  test("and any text at all is refused or read as JSON.parse does it", () => {
    const piece = fc.constantFrom(
      ...'[]{},:"\\ 1a'.split(""),
      '"vehicles"',
      "null",
      '{"a":1}',
      '"a":',
      "[1]",
    );
    const text = fc
      .tuple(fc.constantFrom("[", "{", '{"a":'), fc.array(piece, { maxLength: 10 }))
      .map(([start, pieces]) => start + pieces.join(""));
    fc.assert(
      fc.property(text, lengths, (one, some) => {
        expect(outcome(() => parsed(one, some))).toEqual(outcome(() => JSON.parse(one)));
      }),
      { seed: 17, numRuns: 5000 },
    );
  });
});
