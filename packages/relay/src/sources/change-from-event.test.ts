import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isRelayError } from "../error.js";
import { atOnce } from "../steps.js";
import { changeFromJson, changeFromEvent as changeInSteps, itemsFromJson } from "./change-from-event.js";

const changeFromEvent = (name: string, text: string) => atOnce(changeInSteps(name, text));

test("a put keeps the text of every item, unknown properties and number spelling included", () => {
  const change = changeFromEvent(
    "put",
    '{"path":"/","data":{"flags":{"a":{"key":"a","version":2,"x":1.0e2,"new":[]},"gone":{"version":3,"deleted":true}},"other":1,"segments":{"s":{"version":1}}}}',
  );
  expect(change).toEqual({
    extent: "full",
    items: [
      {
        kind: "flags",
        key: "a",
        version: 2,
        deleted: false,
        json: '{"key":"a","version":2,"x":1.0e2,"new":[]}',
      },
      { kind: "flags", key: "gone", version: 3, deleted: true, json: '{"version":3,"deleted":true}' },
      { kind: "segments", key: "s", version: 1, deleted: false, json: '{"version":1}' },
    ],
  });
});

test.each([
  ["patch", '{"path":"/flags/a","data":{}}', 'patch: "version" is missing'],
  ["patch", '{"path":"/flags/a","data":{"version":null}}', 'patch: "version" is missing'],
  ["patch", '{"path":"/segments/a","data":{"version" : null }}', 'patch: "version" is missing'],
  ["patch", '{"path":"/flags/a","data":{"version":1,"version":null}}', 'patch: "version" is missing'],
  ["patch", '{"path":"/flags/a","version":1,"data":{"on":{"version":1}}}', 'patch: "version" is missing'],
  ["patch", '{"path":"/flags/a","data":{"version":"null"}}', '"a": its version'],
  ["patch", '{"path":"/flags/a","data":{"version":false}}', '"a": its version'],
  ["delete", '{"path":"/flags/a"}', 'delete: "version" is not a number'],
  ["delete", '{"path":"/flags/a","version":null}', 'delete: "version" is not a number'],
])("a %s without a version is refused, not taken for the oldest one: %s", (name, text, says) => {
  expect(() => changeFromEvent(name, text)).toThrow(
    expect.objectContaining({ code: "malformed_data", message: expect.stringContaining(says) }),
  );
});

test("a patch has the version that is its last, of whatever sign", () => {
  for (const [members, version] of [
    ['"version":0', 0],
    ['"version":-1', -1],
    ['"version":null,"version":2', 2],
  ] as const)
    expect(changeFromEvent("patch", `{"path":"/flags/a","data":{${members}}}`)).toMatchObject({
      extent: "partial",
      items: [{ kind: "flags", key: "a", version, fault: undefined }],
    });
});

test("the text of an item is as it came, line breaks included", () => {
  const change = changeFromEvent("patch", '{"path":"/flags/a",\n"data":{\r\n"version":1}}');
  expect(change).toMatchObject({ items: [{ json: '{\r\n"version":1}' }] });
});

test("a patch names a flag or a segment, whatever characters its key has", () => {
  expect(changeFromEvent("patch", '{"path":"/flags/new one/ü","data":{"version":1.9}}')).toMatchObject({
    items: [{ kind: "flags", key: "new one/ü", version: 1 }],
  });
  expect(changeFromEvent("patch", '{"path":"/segments/__proto__","data":{"version":0}}')).toMatchObject({
    items: [{ kind: "segments", key: "__proto__", version: 0 }],
  });
});

test("a delete whose version is no whole number counts with the one below it, as a patch does", () => {
  for (const [version, whole] of [
    [7.9, 7],
    [0, 0],
  ])
    expect(changeFromEvent("delete", `{"path":"/flags/a","version":${version}}`)?.items).toMatchObject([
      { key: "a", version: whole, json: `{"key":"a","version":${whole},"deleted":true}` },
    ]);
});

test("of data that come twice the last count, without what only the first have", () => {
  const [flag, segment] = ['"flags":{"a":{"version":1}}', '"segments":{"s":{"version":2}}'];
  const keys = (data: string) =>
    changeFromEvent("put", `{"path":"/",${data}}`)?.items.map(({ kind, key }) => `${kind} ${key}`);
  expect(keys(`"data":{${flag},${segment}}`)).toEqual(["flags a", "segments s"]);
  expect(keys(`"data":{${flag}},"data":{${segment}}`)).toEqual(["segments s"]);
  expect(keys(`"data":{${segment}},"data":{${flag}}`)).toEqual(["flags a"]);
  expect(keys(`"data":{${flag},${segment}},"data":{}`)).toEqual([]);
});

test("segments may come before flags, and what stands around them is read all the same", () => {
  const data = '"segments":{"s":{"version":2}},"flags":{"a":{"version":1},"b":{"version":3}}';
  const items = [
    { kind: "flags", key: "a", json: '{"version":1}' },
    { kind: "flags", key: "b", json: '{"version":3}' },
    { kind: "segments", key: "s", json: '{"version":2}' },
  ];
  expect(changeFromEvent("put", `{"data":{${data}},"path":"/"}`)?.items).toMatchObject(items);
  expect(itemsFromJson(`{${data}}`)).toMatchObject(items);
});

test("a delete is a tombstone", () => {
  expect(changeFromEvent("delete", '{"path":"/flags/a","version":7}')).toEqual({
    extent: "partial",
    items: [
      {
        kind: "flags",
        key: "a",
        version: 7,
        deleted: true,
        json: '{"key":"a","version":7,"deleted":true}',
      },
    ],
  });
});

test("collections may be missing or null, and a null item is skipped", () => {
  for (const text of ['{"data":{}}', '{"data":{"flags":null}}', '{"data":{"flags":{"a":null}}}']) {
    expect(changeFromEvent("put", text)).toEqual({ extent: "full", items: [] });
  }
});

describe("what a later protocol may add is ignored", () => {
  const cases = [
    { name: "server-intent", text: "{}" },
    { name: "unknown", text: "not json" },
    { name: "patch", text: '{"path":"/nothing/x","data":{}}' },
    { name: "delete", text: '{"path":"/nothing/x","version":1}' },
  ];
  for (const { name, text } of cases) {
    test(`${name} ${text}`, () => expect(changeFromEvent(name, text)).toBeUndefined());
  }
});

describe("what has the wrong shape is refused", () => {
  const cases = [
    { name: "put", text: '{"path":"/","data":{"flags":{"a":{"ver' },
    { name: "put", text: '{"path":"/","data":null}' },
    { name: "put", text: '{"path":"/"}' },
    { name: "put", text: '{"data":[]}' },
    { name: "put", text: "[]" },
    { name: "put", text: '{"data":{"flags":[]}}' },
    { name: "put", text: '{"data":{"flags":{"a":{"version":},"a":{"version":1}}}}' },
    { name: "patch", text: "nonsense" },
    { name: "patch", text: '{"path":"/flags/a"}' },
    { name: "patch", text: '{"data":{}}' },
    { name: "patch", text: '{"path":"/flags/a","data":null}' },
    { name: "delete", text: '{"path":"/flags/a","version":"x"}' },
    { name: "delete", text: '{"path":"/flags/a","version":1e999}' },
    { name: "delete", text: '{"version":1}' },
  ];
  for (const { name, text } of cases) {
    test(`${name} ${text}`, () =>
      expect(() => changeFromEvent(name, text)).toThrow(expect.objectContaining({ code: "malformed_data" })));
  }
});

test.each(["flags", "segments"])("that %s are no object is told with their name", (kind) => {
  expect(() => changeFromEvent("put", `{"data":{"${kind}":[]}}`)).toThrow(`"${kind}" is not an object`);
});

test("what the parser has found is the cause", () => {
  expect(() => changeFromEvent("put", "{")).toThrow(
    expect.objectContaining({ message: "the data is not JSON", cause: expect.any(SyntaxError) }),
  );
});

test("reads the bare form of files", () => {
  expect(itemsFromJson('{\n"flags":{"a":{"version":1}}}')).toMatchObject([
    { key: "a", json: '{"version":1}' },
  ]);
  expect(() => itemsFromJson("3")).toThrow(expect.objectContaining({ code: "malformed_data" }));
});

test("the state of a set of that form goes by the letters of its text", () => {
  const text = '{"flags":{"a":{"version":1}}}';
  expect(changeFromJson(text)).toEqual({
    extent: "full",
    items: itemsFromJson(text),
    selector: { state: createHash("sha256").update(text).digest("base64url"), version: 1 },
  });
});

test("a large set is read item by item, and says how much it has done", () => {
  const text = "x".repeat(1000);
  const flags = Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`f${n}`, { version: 1, text }]));
  const steps = changeInSteps("put", JSON.stringify({ data: { flags } }));
  const sizes: number[] = [];
  for (let next = steps.next(); !next.done; next = steps.next()) sizes.push(next.value);
  expect(sizes).toHaveLength(500);
  expect(Math.min(...sizes)).toBeGreaterThan(1000);
  expect(changeInSteps("put", '{"data":{"flags":{"a":{}}}}').next().value).toBe(256 + "{}".length);
});

/** What a text means when it is parsed as a whole. */
function parsedWhole(text: string): unknown {
  let data: unknown;
  try {
    data = JSON.parse(text).data;
  } catch {
    return "malformed";
  }
  const isObject = (value: unknown): value is Record<string, unknown> =>
    typeof value === "object" && value !== null && !Array.isArray(value);
  if (!isObject(data)) return "malformed";
  const items: unknown[] = [];
  for (const kind of ["flags", "segments"]) {
    const collection = data[kind] ?? {};
    if (!isObject(collection)) return "malformed";
    for (const [key, value] of Object.entries(collection)) {
      if (value === null) continue;
      const isItem = isObject(value) && Number.isFinite(value.version ?? 0);
      items.push([kind, key, isItem ? value : null]);
    }
  }
  return items;
}

const byName = (items: unknown) =>
  Array.isArray(items) ? items.map((item) => JSON.stringify(item)).sort() : items;

test("a text that was damaged anywhere means the same as if it were parsed as a whole", () => {
  const piece = fc.constantFrom(
    ...'{}[]:,"\\ 0-.e1tn'.split(""),
    "null",
    '"data":',
    '"flags":{',
    '"a":',
    '"version":2',
  );
  const put =
    '{"path":"/","data":{"flags":{"a":{"version":1,"x":["}",{"\\"y":-1.5e3}]},"b" : null,"a":{"version":3}},"other":[{}],"segments":{"s":{"version":1}}}}';
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.nat(put.length), fc.nat(3), fc.option(piece, { nil: "" })), {
        minLength: 0,
        maxLength: 3,
      }),
      (damages) => {
        let text = put;
        for (const [at, length, instead] of damages)
          text = text.slice(0, at) + instead + text.slice(at + length);
        let read: unknown;
        try {
          read = changeFromEvent("put", text)?.items.map(({ kind, key, json }) => [
            kind,
            key,
            JSON.parse(json),
          ]);
        } catch (error) {
          read = isRelayError(error) && error.code === "malformed_data" ? "malformed" : error;
        }
        expect(byName(read), text).toEqual(byName(parsedWhole(text)));
      },
    ),
    { seed: 12, numRuns: 20_000 },
  );
});

describe("an item of a set that is none is malformed, and the others are taken", () => {
  for (const bad of ["5", "[]", '"x"', '{"version":"7"}', '{"version":1e999}', '{"version":{}}']) {
    test(bad, () => {
      const change = changeFromEvent("put", `{"data":{"flags":{"good":{"version":1},"bad":${bad}}}}`);
      expect(change?.items).toMatchObject([
        { key: "good", version: 1, fault: undefined },
        { key: "bad", version: 0, fault: expect.stringMatching(/^(?:expected an object|its version)/) },
      ]);
    });
  }

  test("but a patch of one is refused: nothing else is in it", () => {
    for (const bad of ["5", '{"version":"7"}'])
      expect(() => changeFromEvent("patch", `{"path":"/flags/a","data":${bad}}`), bad).toThrow(
        expect.objectContaining({ code: "malformed_data" }),
      );
  });
});

test("names that are written in other letters are told, not passed over", () => {
  for (const name of ["Flags", "SEGMENTS", "Segments"])
    expect(() => itemsFromJson(`{"${name}":{}}`), name).toThrow(
      `"${name}" is written "${name.toLowerCase()}"`,
    );
  expect(itemsFromJson('{"version":1}')).toEqual([]);
});
