import type { Item } from "@wye/relay";

/** DynamoDB takes items of up to 400 KB; what SDKs and relays count is a little less. */
const maxItemBytes = 400_000;

const overheadBytes = 100;
const attributeNamesBytes = "namespace".length + "key".length + "version".length + "item".length;

/** How large an item will be, as its writers estimate it. */
function itemBytes(namespace: string, { key, version }: Item, text: string): number {
  const values = [namespace, key, String(version), text];
  return values.reduce((sum, value) => sum + Buffer.byteLength(value), overheadBytes + attributeNamesBytes);
}

/** The longest sort key. */
const maxKeyBytes = 1024;

/** From here on DynamoDB takes no numbers. */
const tooLargeNumber = 1e126;

/** Why DynamoDB takes nothing under the key of an item; `undefined` if it does. */
export function keyFault({ key }: Item): string | undefined {
  if (key === "") return "has no key";
  const keyBytes = Buffer.byteLength(key);
  return keyBytes > maxKeyBytes ? `has a key of ${keyBytes} bytes` : undefined;
}

/** Why DynamoDB does not take an item; `undefined` if it does. */
export function itemFault(namespace: string, item: Item, text: string): string | undefined {
  const fault = keyFault(item);
  if (fault !== undefined) return fault;
  if (Math.abs(item.version) >= tooLargeNumber) return `has the version ${item.version}`;
  const bytes = itemBytes(namespace, item, text);
  return bytes > maxItemBytes ? `has ${bytes} bytes` : undefined;
}
