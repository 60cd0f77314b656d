import { parseItem } from "@wye/relay";
import { expect, test } from "vitest";
import { itemFault, keyFault } from "../src/item-size.js";

const flag = (key: string, version = 1) => parseItem("flags", key, JSON.stringify({ key, version }));

test.each<[key: string, times: number, fault: string | undefined]>([
  ["x", 0, "has no key"],
  ["x", 1024, undefined],
  ["x", 1025, "has a key of 1025 bytes"],
  ["ä", 512, undefined],
  ["ä", 513, "has a key of 1026 bytes"],
])("a key has 1 to 1,024 bytes: %s, %i times", (letter, times, fault) => {
  const item = flag(letter.repeat(times));
  expect(keyFault(item)).toBe(fault);
  expect(itemFault("features", item, "{}")).toBe(fault);
});

test.each<[version: number, fault: string | undefined]>([
  [9.9e125, undefined],
  [1e126, "has the version 1e+126"],
  [-9.9e125, undefined],
  [-1e126, "has the version -1e+126"],
])("a version has at most 126 digits, on either side of nothing: %d", (version, fault) => {
  expect(itemFault("features", flag("a", version), "{}")).toBe(fault);
});

test.each<[namespace: string, key: string, version: number]>([
  ["features", "a", 1],
  ["prefix:features", "a", 1],
  ["features", "käy", 1],
  ["features", "a", 123],
])(
  "an item has at most 400,000 bytes, with its names and values: in %s, %s of version %d",
  (namespace, key, version) => {
    const values = Buffer.byteLength(namespace) + Buffer.byteLength(key) + String(version).length;
    const room = 400_000 - 100 - "namespacekeyversionitem".length - values;
    const item = flag(key, version);
    for (const text of ["x".repeat(room), `${"ä".repeat(Math.floor(room / 2))}${"x".repeat(room % 2)}`]) {
      expect(itemFault(namespace, item, text)).toBeUndefined();
      expect(itemFault(namespace, item, `${text}x`)).toBe("has 400001 bytes");
    }
  },
);
