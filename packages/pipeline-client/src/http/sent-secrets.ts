/** How many are remembered: a token that was replaced is good for a while, and a session rarely has two. */
const mostSecrets = 100;

/** What a client has sent to say who asks, with what was replaced meanwhile. */
export class SentSecrets {
  readonly #secrets = new Set<string>();

  add(secrets: readonly string[]): void {
    for (const secret of secrets) {
      this.#secrets.delete(secret);
      this.#secrets.add(secret);
    }
    for (const secret of this.#secrets) {
      if (this.#secrets.size <= mostSecrets) break;
      this.#secrets.delete(secret);
    }
  }

  get all(): readonly string[] {
    return [...this.#secrets];
  }
}
