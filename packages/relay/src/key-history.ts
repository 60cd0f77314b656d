import { credentialDigest, type EnvironmentKeys } from "./credentials.js";

/** How many keys are remembered. */
const maxKeys = 10_000;

/**
 * Whose each SDK key has been. To upstream a key is one environment, for ever; a name is what people call it here, and may be corrected. A new
 * key of an environment opens the same flags as the old one, unless it was the key of another one: then the flags under that name are not its own.
 */
export class KeyHistory {
  /** By digest, in the order in which they were noted last. */
  readonly #owners = new Map<string, string>();
  readonly #names = new Set<string>();

  /** Remembers that these keys are of an environment. */
  note(name: string, { sdkKey, further }: EnvironmentKeys): void {
    this.#names.add(name);
    const listed = further.filter(({ kind }) => kind === "sdkKey").map(({ value }) => value);
    for (const key of [...listed, sdkKey]) {
      const digest = credentialDigest("sdkKey", key);
      this.#owners.delete(digest);
      this.#owners.set(digest, name);
    }
    for (const digest of this.#owners.keys()) {
      if (this.#owners.size <= maxKeys) break;
      this.#owners.delete(digest);
    }
  }

  /** Who else had this key last. */
  formerOwner(name: string, sdkKey: string): string | undefined {
    const owner = this.#owners.get(credentialDigest("sdkKey", sdkKey));
    return owner === name ? undefined : owner;
  }

  /** Whether what is kept under the name of an environment is of another key than this one. */
  isStale(name: string, sdkKey: string): boolean {
    return this.#names.has(name) && this.formerOwner(name, sdkKey) !== undefined;
  }
}
