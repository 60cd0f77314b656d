import { describe, expect, test } from "vitest";
import { createAuthoriser, type KeyEntry, type KeyLookup } from "./authoriser.js";
import { webPlatform } from "./platform.js";
import { isRefusal } from "./refusal.js";

const digests: string[] = [];
/** A digest that is at once there, and long enough to be cut. */
const platform = {
  ...webPlatform(),
  digest(text: string) {
    digests.push(text);
    return `${text}-`.repeat(40);
  },
};

/** What a key may do, or why it is refused. */
async function outcome(keys: readonly KeyEntry[] | KeyLookup, apiKey: string | null | undefined) {
  const found = await createAuthoriser(keys, platform)(apiKey);
  return isRefusal(found) ? found.errors.map(({ title, detail }) => `${title}: ${detail}`) : found;
}

const known: readonly KeyEntry[] = [
  { key: "open", groups: ["ReadVehicles"] },
  { key: "full", groups: ["ReadVehicles", "ReadVehiclesFull"], name: "us" },
  { key: "other", groups: ["ReadVehiclesFull"] },
  { key: "unnamed", groups: ["ReadVehicles"], name: "" },
];
const lookup: KeyLookup = (key) => known.find((one) => one.key === key);
const later: KeyLookup = async (key) => known.find((one) => one.key === key) ?? null;

describe.each([
  ["a list", known],
  ["a function", lookup],
  ["a function that takes its time", later],
])("keys from %s", (_, keys) => {
  test("may read what their groups see, and stand for their holder by its name or else by a digest", async () => {
    expect(await outcome(keys, "open")).toEqual({
      seesWithheld: false,
      holder: "open-open-open-open-open-open-open-".slice(0, 32),
    });
    expect(await outcome(keys, "full")).toEqual({ seesWithheld: true, holder: "us" });
    expect(await outcome(keys, "unnamed")).toEqual({ seesWithheld: false, holder: "" });
  });

  test.each([
    [null, "api_key missing: Send your key in the header API-Key."],
    [undefined, "api_key missing: Send your key in the header API-Key."],
    ["", "api_key missing: Send your key in the header API-Key."],
    ["open,full", "api_key invalid: Send one API-Key header."],
    ["open, open", "api_key invalid: Send one API-Key header."],
    ["OPEN", "api_key invalid: This key is not known."],
    ["ope", "api_key invalid: This key is not known."],
    ["other", "api_key not authorized: This key is not in the group ReadVehicles."],
  ])("are refused with a word on why: %j", async (apiKey, says) => {
    expect(await outcome(keys, apiKey)).toEqual([says]);
  });
});

test("several keys in one header are not looked up", async () => {
  const asked: string[] = [];
  await outcome((key) => void asked.push(key), "a,b");
  expect(asked).toEqual([]);
});

test("a key of a list that was right is not digested again, and one that was wrong is", async () => {
  const authorise = createAuthoriser(known, platform);
  digests.length = 0;
  for (const key of ["open", "open", "none", "none"]) await authorise(key);
  expect(digests).toEqual(["open", "full", "other", "unnamed", "open", "none", "none"]);
});

test("a list of keys whose digests come late is waited for", async () => {
  const authorise = createAuthoriser(known, { ...platform, digest: async (text) => text });
  expect(await authorise("full")).toEqual({ seesWithheld: true, holder: "us" });
  expect(await authorise("fu")).toMatchObject({ status: 403 });
});

test("a key whose digest begins with that of another one is another key", async () => {
  const authorise = createAuthoriser([{ key: "ab", groups: ["ReadVehicles"] }], {
    ...platform,
    digest: (text) => text,
  });
  expect(await authorise("a")).toMatchObject({ status: 403 });
  expect(await authorise("abc")).toMatchObject({ status: 403 });
  expect(await authorise("ab")).toEqual({ seesWithheld: false, holder: "ab" });
});

test.each<[entry: unknown, says: string]>([
  [5, "keys[1] must be an object with key and groups."],
  [
    { groups: [] },
    "keys[1] must have a key, a text of printable ASCII without blanks and commas, and not empty.",
  ],
  [{ key: "", groups: [] }, "keys[1] must have a key,"],
  [{ key: "a b", groups: [] }, "keys[1] must have a key,"],
  [{ key: "a,b", groups: [] }, "keys[1] must have a key,"],
  [{ key: "é", groups: [] }, "keys[1] must have a key,"],
  [{ key: "a\u007f", groups: [] }, "keys[1] must have a key,"],
  [{ key: "b" }, 'keys[1] must have groups, a list such as ["ReadVehicles"].'],
  [{ key: "b", groups: ["x"] }, 'keys[1] names the group "x", which there is not.'],
  [{ key: "b", groups: ["ReadVehicles", "y"] }, 'keys[1] names the group "y", which there is not.'],
  [{ key: "b", groups: [], name: 5 }, "keys[1] must have a text as name, or none."],
  [{ key: "open", groups: [] }, "keys[1] has the same key as keys[0]: give it all of its groups once."],
])("a list with an entry that is none is refused at once: %j", (entry, says) => {
  const keys = [{ key: "open", groups: ["ReadVehicles"] }, entry] as readonly KeyEntry[];
  expect(() => createAuthoriser(keys, platform)).toThrow(TypeError);
  expect(() => createAuthoriser(keys, platform)).toThrow(says);
});

test("a function that gives no grant is told so", async () => {
  await expect(async () => await outcome((() => ({})) as unknown as KeyLookup, "a")).rejects.toThrow(
    "keys(key) must give { groups: [...] }, or undefined for an unknown key",
  );
});
