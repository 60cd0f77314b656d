import type { Item } from "@wye/relay";

/** DynamoDB takes items of up to 400 KB; what SDKs and relays count is a little less. */
export const maxItemBytes = 400_000;

const overheadBytes = 100;
const attributeNamesBytes = "namespace".length + "key".length + "version".length + "item".length;

/** How large an item will be, as its writers estimate it. */
export function itemBytes(namespace: string, { key, version }: Item, text: string): number {
  const values = [namespace, key, String(version), text];
  return values.reduce((sum, value) => sum + Buffer.byteLength(value), overheadBytes + attributeNamesBytes);
}
