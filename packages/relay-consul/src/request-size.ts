import type { BatchLimits } from "@wye/relay";
import type { ConsulStep } from "./consul-kv.js";

/** Of the 512 KB that Consul takes at once some are left for the frame. */
export const maxBytes: number = 480 * 1024;

/** What Consul takes as one transaction. */
export const transactionLimits: BatchLimits<ConsulStep> = {
  count: 64,
  bytes: maxBytes,
  sizeOf: (step) => Buffer.byteLength(step.key) + ("value" in step ? base64Bytes(step.value) : 0),
};

/** What a value takes in a request: it goes in base64. */
export function base64Bytes(text: string): number {
  return Math.ceil(Buffer.byteLength(text) / 3) * 4;
}
