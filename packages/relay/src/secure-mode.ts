import { createHmac, timingSafeEqual } from "node:crypto";
import type { EnvironmentKeys } from "./credentials.js";

/**
 * Whether the host has signed a context: `signature` is the HMAC of the context's key with an SDK key that is accepted
 * now, in lower-case hexadecimal digits.
 */
export function isVouchedFor(
  { sdkKey, further }: EnvironmentKeys,
  contextKey: string,
  signature: string,
): boolean {
  const given = Buffer.from(signature);
  const accepted = [sdkKey, ...further.filter(({ kind }) => kind === "sdkKey").map(({ value }) => value)];
  return accepted.some((key) => {
    const expected = Buffer.from(createHmac("sha256", key).update(contextKey).digest("hex"));
    return expected.length === given.length && timingSafeEqual(expected, given);
  });
}
