import { expect, test } from "vitest";
import { KeyHolders } from "./key-holders.js";

const [a, b, c] = [Symbol("a"), Symbol("b"), Symbol("c")];
const keys = {
  sdkKey: "sdk",
  mobileKey: "mob",
  further: [
    { kind: "sdkKey", value: "sdk-2" },
    { kind: "mobileKey", value: "mob-2" },
  ],
} as const;

test("keys of a kind are those of who had them, and nobody's as long as nobody did", () => {
  const holders = new KeyHolders();
  const owns = (who: symbol, kind: "sdkKey" | "mobileKey") =>
    ["sdk", "sdk-2", "mob", "mob-2"].filter((key) => holders.isOwn(who, kind, key));
  const all = ["sdk", "sdk-2", "mob", "mob-2"];
  holders.note(a, "sdkKey", keys);
  expect([owns(a, "sdkKey"), owns(b, "sdkKey"), owns(b, "mobileKey")]).toEqual([all, ["mob", "mob-2"], all]);
  holders.note(a, "mobileKey", keys);
  expect([owns(a, "mobileKey"), owns(b, "mobileKey")]).toEqual([all, ["sdk", "sdk-2"]]);
});

test("a key that two have had is nobody's own, whoever has it again", () => {
  const holders = new KeyHolders();
  const own = () => [a, b, c].filter((who) => holders.isOwn(who, "sdkKey", "sdk"));
  for (const who of [a, a]) holders.note(who, "sdkKey", keys);
  expect(own()).toEqual([a]);
  for (const who of [b, b, a]) {
    holders.note(who, "sdkKey", { sdkKey: "sdk", further: [] });
    expect(own()).toEqual([]);
  }
});

test("of who has no mobile key nothing is noted", () => {
  const holders = new KeyHolders();
  holders.note(a, "mobileKey", { sdkKey: "sdk", further: [] });
  expect(["sdk", "", "undefined"].map((key) => holders.isOwn(b, "mobileKey", key))).toEqual([
    true,
    true,
    true,
  ]);
});
