import { createHmac } from "node:crypto";
import { expect, test } from "vitest";
import type { EnvironmentKeys } from "./credentials.js";
import { isVoucher, voucherOf } from "./secure-mode.js";

const keys: EnvironmentKeys = {
  sdkKey: "sdk-new",
  mobileKey: "mob-1",
  further: [
    { kind: "sdkKey", value: "sdk-old" },
    { kind: "mobileKey", value: "mob-2" },
    { kind: "mobileKey", value: "mob-old", expires: 1 },
  ],
};
const signed = (key: string, contextKey = "u") => createHmac("sha256", key).update(contextKey).digest("hex");

test.each([
  { name: "with the SDK key", signature: signed("sdk-new"), voucher: "sdk-new" },
  { name: "with a further one", signature: signed("sdk-old"), voucher: "sdk-old" },
  { name: "with a mobile key", signature: signed("mob-1"), voucher: undefined },
  { name: "with a further mobile key", signature: signed("mob-2"), voucher: undefined },
  { name: "with a mobile key that expires", signature: signed("mob-old"), voucher: undefined },
  { name: "for another context", signature: signed("sdk-new", "v"), voucher: undefined },
  { name: "in large letters", signature: signed("sdk-new").toUpperCase(), voucher: undefined },
  { name: "in part", signature: signed("sdk-new").slice(0, -1), voucher: undefined },
  { name: "and more", signature: `${signed("sdk-new")}0`, voucher: undefined },
  { name: "with nothing", signature: "", voucher: undefined },
])("a context that is signed $name has the voucher $voucher", ({ signature, voucher }) => {
  expect(voucherOf(keys, "u", signature)).toBe(voucher);
});

test("vouchers are the SDK keys that are accepted", () => {
  const given = ["sdk-new", "sdk-old", "mob-1", "mob-2", "mob-old", "", undefined];
  expect(given.filter((key) => isVoucher(keys, key))).toEqual(["sdk-new", "sdk-old"]);
});
