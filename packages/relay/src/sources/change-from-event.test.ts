import { describe, expect, test } from "vitest";
import { changeFromEvent, itemsFromJson } from "./change-from-event.js";

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
    { name: "put", text: '{"data":{"flags":{"a":1}}}' },
    { name: "put", text: '{"data":{"flags":{"a":{"version":"1"}}}}' },
    { name: "patch", text: "nonsense" },
    { name: "patch", text: '{"path":"/flags/a"}' },
    { name: "patch", text: '{"data":{}}' },
    { name: "patch", text: '{"path":"/flags/a","data":null}' },
    { name: "delete", text: '{"path":"/flags/a","version":"x"}' },
    { name: "delete", text: '{"version":1}' },
    { name: "put", text: '{"data":{"flags":{"a":{"version":1e999}}}}' },
    // Without a version it would be older than everything, and passed over.
    { name: "delete", text: '{"path":"/flags/a"}' },
    { name: "patch", text: '{"path":"/flags/a","data":{}}' },
    { name: "delete", text: '{"path":"/flags/a","version":null}' },
  ];
  for (const { name, text } of cases) {
    test(`${name} ${text}`, () =>
      expect(() => changeFromEvent(name, text)).toThrow(expect.objectContaining({ code: "malformed_data" })));
  }
});

test("reads the bare form of files", () => {
  expect(itemsFromJson('{\n"flags":{"a":{"version":1}}}')).toMatchObject([
    { key: "a", json: '{"version":1}' },
  ]);
  expect(() => itemsFromJson("3")).toThrow(expect.objectContaining({ code: "malformed_data" }));
});
