import { expect, test } from "vitest";
import { contextFromBase64 } from "../index.js";

const userKey = "eyJraW5kIjoidXNlciIsImtleSI6InVzZXJrZXkifQ";

const valid = [
  { name: "padded", text: `${userKey}==`, key: "userkey" },
  { name: "not padded", text: userKey, key: "userkey" },
  { name: "URL-safe", text: "eyJraW5kIjoidXNlciIsImtleSI6ImE_PiJ9", key: "a?>" },
  { name: "standard", text: "eyJraW5kIjoidXNlciIsImtleSI6ImE/PiJ9", key: "a?>" },
  { name: "broken lines", text: `${userKey.slice(0, 10)}\r\n${userKey.slice(10)}`, key: "userkey" },
  { name: "stray bits", text: `${userKey.slice(0, -1)}R`, key: "userkey" },
  { name: "UTF-8", text: Buffer.from('{"key":"ключ 😀"}').toString("base64url"), key: "ключ 😀" },
];

for (const { name, text, key } of valid) {
  test(`valid: ${name}`, () => {
    expect(contextFromBase64(text)).toMatchObject({ ok: true, context: { key } });
  });
}

const invalid = [
  { name: "JSON itself", text: '{"key":"a"}', code: "base64" },
  { name: "a character of neither alphabet", text: `${userKey.slice(0, -1)}!`, code: "base64" },
  { name: "a blank", text: `${userKey} `, code: "base64" },
  { name: "one character too many", text: `${userKey}abc`, code: "base64" },
  { name: "too little padding", text: `${userKey}=`, code: "base64" },
  { name: "too much padding", text: `${userKey}===`, code: "base64" },
  { name: "padding within", text: `${userKey}==${userKey}`, code: "base64" },
  { name: "text that is cut off", text: userKey.slice(0, -2), code: "json" },
  { name: "nothing", text: "", code: "json" },
  { name: "a byte order mark", text: Buffer.from('\ufeff{"key":"a"}').toString("base64url"), code: "json" },
  { name: "something else", text: Buffer.from("[]").toString("base64url"), code: "invalid" },
];

for (const { name, text, code } of invalid) {
  test(`invalid: ${name}`, () => {
    expect(contextFromBase64(text)).toMatchObject({ ok: false, code });
  });
}

test("what is no text, and what is no base64, are told apart", () => {
  const told = (text: unknown) => contextFromBase64(text as string);
  expect(told(5)).toEqual({ ok: false, code: "base64", path: "", message: "expected text, got a number" });
  expect(told("!")).toEqual({
    ok: false,
    code: "base64",
    path: "",
    message: "the text is not base64 (URL-safe or standard alphabet, padded or not)",
  });
});
