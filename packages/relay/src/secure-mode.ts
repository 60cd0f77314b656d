import { createHmac, timingSafeEqual } from "node:crypto";
import { type EnvironmentKeys, likelyKeys } from "./credentials.js";

/**
 * The SDK key with which the host has signed a context, if it is accepted now: `signature` is the HMAC of the context's key with it, in lower-case
 * hexadecimal digits.
 */
export function voucherOf(keys: EnvironmentKeys, contextKey: string, signature: string): string | undefined {
  const given = Buffer.from(signature);
  return likelyKeys(keys, "sdkKey").find((key) => {
    const expected = Buffer.from(createHmac("sha256", key).update(contextKey).digest("hex"));
    return expected.length === given.length && timingSafeEqual(expected, given);
  });
}

/** Whether a key is one of those with which contexts are signed now. */
export function isVoucher(keys: EnvironmentKeys, sdkKey: string | undefined): boolean {
  return sdkKey !== undefined && likelyKeys(keys, "sdkKey").includes(sdkKey);
}
