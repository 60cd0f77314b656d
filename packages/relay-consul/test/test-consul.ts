/** A Consul of the test's own on loopback, the real one or one that stands in for it. */
export interface TestConsul {
  readonly address: string;
  /** What is kept, by key. */
  entries(): Promise<ReadonlyMap<string, string>>;
  /** Writes beside the store. */
  set(key: string, value: string): Promise<void>;
  /** Deletes all whose key begins like this, beside the store. */
  remove(keyPrefix: string): Promise<void>;
  /** A token that may read everything and write nothing. */
  readonly readOnlyToken: string;
  /** A token from which the segments under the prefix `narrow` are hidden. */
  readonly narrowToken: string;
  stop(): Promise<void>;
}

interface Entry {
  readonly Key: string;
  readonly Value: string | null;
}

/** Looks and meddles through the HTTP interface. */
export function testConsul(
  address: string,
  tokens: Pick<TestConsul, "readOnlyToken" | "narrowToken">,
  stop: () => Promise<void>,
): TestConsul {
  return {
    address,
    ...tokens,
    async entries() {
      const response = await fetch(`${address}/v1/kv/?recurse`);
      const found: readonly Entry[] = response.status === 404 ? [] : await response.json();
      return new Map(found.map(({ Key, Value }) => [Key, Buffer.from(Value ?? "", "base64").toString()]));
    },
    async set(key, value) {
      const response = await fetch(`${address}/v1/kv/${key}`, { method: "PUT", body: value });
      if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
    },
    async remove(keyPrefix) {
      const response = await fetch(`${address}/v1/kv/${keyPrefix}?recurse`, { method: "DELETE" });
      if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
    },
    stop,
  };
}
