import { createHmac } from "node:crypto";
import { basicLogger, init, type LDContext } from "@launchdarkly/node-server-sdk";
import { expect, test } from "vitest";
import { createContext, FlagEvaluatorError, parseContext } from "../index.js";

const valid = [
  { name: "one kind", json: { kind: "org", key: "k" }, canonicalKey: "org:k", kinds: ["org"] },
  { name: "a user", json: { kind: "user", key: "a:b%" }, canonicalKey: "a:b%", kinds: ["user"] },
  { name: "escapes", json: { kind: "org", key: ":a%" }, canonicalKey: "org:%3Aa%25", kinds: ["org"] },
  {
    name: "several kinds, sorted",
    json: { kind: "multi", user: { key: "u:1" }, org: { key: "o1" } },
    canonicalKey: "org:o1:user:u%3A1",
    kinds: ["org", "user"],
  },
  {
    name: "several kinds with the user first",
    json: { kind: "multi", vehicle: { key: "v" }, user: { key: "u" } },
    canonicalKey: "user:u:vehicle:v",
    kinds: ["user", "vehicle"],
  },
  {
    name: "several kinds that are one",
    json: { kind: "multi", user: { key: "u" } },
    canonicalKey: "u",
    kinds: ["user"],
  },
  {
    name: "a part with a kind of its own",
    json: { kind: "multi", user: { key: "a" }, org: { key: "b", kind: "device" } },
    canonicalKey: "device:b:user:a",
    kinds: ["device", "user"],
  },
  { name: "an old user", json: { key: "k" }, canonicalKey: "k", kinds: ["user"] },
  { name: "an old user with an empty key", json: { key: "" }, canonicalKey: "", kinds: ["user"] },
  { name: "KIND instead of kind", json: { KIND: "org", key: "k" }, canonicalKey: "k", kinds: ["user"] },
  { name: "a null name", json: { kind: "user", key: "k", name: null }, canonicalKey: "k", kinds: ["user"] },
  {
    name: "unknown members of _meta",
    json: { kind: "user", key: "k", _meta: { secondary: 1 } },
    canonicalKey: "k",
    kinds: ["user"],
  },
  {
    name: "private attributes that are no references",
    json: { kind: "user", key: "k", _meta: { privateAttributes: ["a/b", "/"] } },
    canonicalKey: "k",
    kinds: ["user"],
  },
  { name: "a null _meta", json: { kind: "user", key: "k", _meta: null }, canonicalKey: "k", kinds: ["user"] },
  {
    name: "a null list",
    json: { kind: "user", key: "k", _meta: { privateAttributes: null } },
    canonicalKey: "k",
    kinds: ["user"],
  },
  {
    name: "an old user with all members",
    json: {
      key: "k",
      secondary: "s",
      ip: "",
      country: null,
      custom: null,
      anonymous: null,
      privateAttributeNames: ["ip"],
    },
    canonicalKey: "k",
    kinds: ["user"],
  },
  {
    name: "odd characters",
    json: { kind: "user", key: "\u0000\ud800" },
    canonicalKey: "\u0000\ud800",
    kinds: ["user"],
  },
  {
    name: "every character of a kind",
    json: { kind: "aZ0._-", key: "k" },
    canonicalKey: "aZ0._-:k",
    kinds: ["aZ0._-"],
  },
];

for (const { name, json, canonicalKey, kinds } of valid) {
  test(`valid: ${name}`, () => {
    const context = createContext(json);
    expect(context.canonicalKey).toBe(canonicalKey);
    expect(context.parts.map(({ kind }) => kind)).toEqual(kinds);
  });
}

const invalid = [
  { text: "", code: "json", path: "", message: /./ },
  { text: '{"kind":"user"', code: "json", path: "", message: /./ },
  { text: '{"key":"a"}x', code: "json", path: "", message: /./ },
  { text: '\ufeff{"key":"a"}', code: "json", path: "", message: /./ },
  { text: "[]", code: "invalid", path: "", message: /expected an object, got an array/ },
  { text: "null", code: "invalid", path: "", message: /expected an object, got null/ },
  { text: '"x"', code: "invalid", path: "", message: /expected an object, got a string/ },
  { text: "{}", code: "invalid", path: "", message: /"key" is missing/ },
  { text: '{"kind":"user"}', code: "invalid", path: "", message: /"key" is missing/ },
  { text: '{"kind":"user","key":""}', code: "invalid", path: "/key", message: /must not be empty/ },
  {
    text: '{"kind":"user","key":1}',
    code: "invalid",
    path: "/key",
    message: /expected a string, got a number/,
  },
  {
    text: '{"kind":"multi","user":{"key":""}}',
    code: "invalid",
    path: "/user/key",
    message: /must not be empty/,
  },
  { text: '{"key":null}', code: "invalid", path: "/key", message: /expected a string, got null/ },
  { text: '{"kind":null,"key":"a"}', code: "invalid", path: "/kind", message: /expected a string, got null/ },
  { text: '{"kind":"","key":"a"}', code: "invalid", path: "/kind", message: /must not be empty/ },
  {
    text: '{"kind":"kind","key":"a"}',
    code: "invalid",
    path: "/kind",
    message: /"kind" is not a valid kind/,
  },
  { text: '{"kind":"my kind","key":"a"}', code: "invalid", path: "/kind", message: /letters, digits/ },
  { text: '{"kind":"multi"}', code: "invalid", path: "", message: /at least one kind/ },
  {
    text: '{"kind":"multi","multi":{"key":"a"}}',
    code: "invalid",
    path: "/multi",
    message: /cannot be "multi"/,
  },
  {
    text: '{"kind":"multi","user":"x"}',
    code: "invalid",
    path: "/user",
    message: /expected an object, got a string/,
  },
  {
    text: '{"kind":"multi","a":{"key":"1"},"b":{"key":"2","kind":"a"}}',
    code: "invalid",
    path: "/b",
    message: /twice/,
  },
  {
    text: '{"kind":"multi","a":{"key":"1","kind":2}}',
    code: "invalid",
    path: "/a/kind",
    message: /got a number/,
  },
  {
    text: '{"kind":"multi","a~/b":{"key":"1"}}',
    code: "invalid",
    path: "/a~0~1b",
    message: /letters, digits/,
  },
  {
    text: '{"kind":"user","key":"a","anonymous":"yes"}',
    code: "invalid",
    path: "/anonymous",
    message: /true or false, got a string/,
  },
  {
    text: '{"kind":"user","key":"a","anonymous":null}',
    code: "invalid",
    path: "/anonymous",
    message: /got null/,
  },
  {
    text: '{"kind":"user","key":"a","name":1}',
    code: "invalid",
    path: "/name",
    message: /string or null, got a number/,
  },
  {
    text: '{"kind":"user","key":"a","_meta":[]}',
    code: "invalid",
    path: "/_meta",
    message: /object or null, got an array/,
  },
  {
    text: '{"kind":"user","key":"a","_meta":{"privateAttributes":"x"}}',
    code: "invalid",
    path: "/_meta/privateAttributes",
    message: /array or null/,
  },
  {
    text: '{"kind":"user","key":"a","_meta":{"privateAttributes":["x",1]}}',
    code: "invalid",
    path: "/_meta/privateAttributes/1",
    message: /got a number/,
  },
  {
    text: '{"key":"a","country":1}',
    code: "invalid",
    path: "/country",
    message: /a string or null, got a number/,
  },
  {
    text: '{"key":"a","custom":[]}',
    code: "invalid",
    path: "/custom",
    message: /an object or null, got an array/,
  },
  {
    text: '{"key":"a","privateAttributeNames":{}}',
    code: "invalid",
    path: "/privateAttributeNames",
    message: /an array or null, got an object/,
  },
  { text: '{"kind":"user","key":"a","n":1e400}', code: "invalid", path: "", message: /beyond 64-bit floats/ },
  {
    text: `{"kind":"user","key":"a","n":${"[".repeat(1000)}${"]".repeat(1000)}}`,
    code: "invalid",
    path: "",
    message: /levels deep/,
  },
];

for (const { text, code, path, message } of invalid) {
  test(`invalid: ${text.slice(0, 80) || "nothing"}`, () => {
    const result = parseContext(text);
    expect(result).toMatchObject({ ok: false, code, path });
    expect(result).toHaveProperty("message", expect.stringMatching(message));
  });
}

test("a text that is too long is refused, and the limit can be set", () => {
  const text = JSON.stringify({ kind: "user", key: "a".repeat(300_000) });
  expect(parseContext(text)).toMatchObject({
    ok: false,
    code: "json",
    message: expect.stringContaining("262144"),
  });
  expect(parseContext(text, { maxLength: 400_000 }).ok).toBe(true);
});

test("a text of the most characters is read, and one more is too many", () => {
  const text = '{"kind":"user","key":"a"}';
  expect(parseContext(text, { maxLength: text.length }).ok).toBe(true);
  expect(parseContext(text, { maxLength: text.length - 1 }).ok).toBe(false);
});

test.each<[string, string, unknown, unknown]>([
  ["name", "a string", 1, "text"],
  ["secondary", "a string", true, "text"],
  ["ip", "a string", 1, ""],
  ["country", "a string", ["NZ"], "NZ"],
  ["email", "a string", 1, "a@example.com"],
  ["firstName", "a string", {}, "text"],
  ["lastName", "a string", 1, "text"],
  ["avatar", "a string", 0, "text"],
  ["anonymous", "a boolean", "true", true],
  ["custom", "an object", [], {}],
  ["privateAttributeNames", "an array", {}, []],
])("%s of an old user is %s or null", (member, expected, wrong, right) => {
  const read = (value: unknown) => parseContext(JSON.stringify({ key: "k", [member]: value }));
  expect([read(right).ok, read(null).ok]).toEqual([true, true]);
  expect(read(wrong)).toMatchObject({
    ok: false,
    path: `/${member}`,
    message: expect.stringContaining(`expected ${expected} or null, got `),
  });
});

test("a context says its kind and key, and gives its parts by kind", () => {
  const one = createContext({ kind: "org", key: "k", name: "n" });
  const several = createContext({ kind: "multi", org: { key: "k" }, user: { key: "u", anonymous: true } });
  expect([one.kind, one.key, one.part("org")?.name, one.part("user")]).toEqual(["org", "k", "n", undefined]);
  expect([several.kind, several.key, several.part("user")?.anonymous]).toEqual(["multi", undefined, true]);
});

test("a context is a copy: later changes to the object do not matter", () => {
  const fields = { kind: "user", key: "a", list: [1] };
  const context = createContext(fields);
  fields.list.push(2);
  expect(context.part("user")?.attributes.list).toEqual([1]);
});

test("what is no context makes createContext throw, with the place and the reason", () => {
  const attempt = () => createContext({ kind: "user", key: 1 });
  expect(attempt).toThrow(FlagEvaluatorError);
  expect(attempt).toThrow(
    expect.objectContaining({ code: "invalid_context", message: "/key: expected a string, got a number" }),
  );
});

const secureMode: readonly { readonly sdkKey: string; readonly context: LDContext; readonly hash: string }[] =
  [
    {
      sdkKey: "secret",
      context: { kind: "user", key: "Message" },
      hash: "aa747c502a898200f9e4fa21bac68136f886a0e27aec70ba06daf2e2a5cb5597",
    },
    {
      sdkKey: "sdk-key",
      context: { kind: "user", key: "userkey" },
      hash: "19dbe48d8369e9863bb3495bc356dd67ec6b9f68f663da9c425b481986ca2ad5",
    },
    {
      // Of `org:%3Akey`. A list of vectors has 66197cf0… for it, which is the HMAC of no text like that.
      sdkKey: "sdk-key",
      context: { kind: "org", key: ":key" },
      hash: "dbcee7dc36c8d9056ac766fec167d3ba6e9da3a89a00ee05a466a2bca9acad4a",
    },
    {
      sdkKey: "sdk-key",
      context: { kind: "multi", user: { key: "u1" }, org: { key: "o1" } },
      hash: "5d12ee4c65166decf9a891b82c264fc2dae7061e24a8528c127c00777a463b24",
    },
  ];

for (const { sdkKey, context, hash } of secureMode) {
  test(`the canonical key is what secure mode hashes, ours and the SDK's: ${JSON.stringify(context)}`, () => {
    const { canonicalKey } = createContext(context);
    const client = init(sdkKey, { offline: true, logger: basicLogger({ level: "none" }) });
    const ofSdk = client.secureModeHash(context);
    client.close();
    expect(createHmac("sha256", sdkKey).update(canonicalKey).digest("hex")).toBe(hash);
    expect(ofSdk).toBe(hash);
  });
}
