import type { Certificate } from "../certificates.js";
import type { Credentials } from "../credentials.js";
import type { Member } from "./crew.js";

/**
 * What the files of certificates had when they could last be used, for all workers: one that takes the place of another serves as the
 * others do while they are being replaced, or are gone.
 */
export class SharedCredentials {
  #current: Credentials;
  readonly #members = new Set<Member>();

  constructor(first: Credentials) {
    this.#current = first;
  }

  /** All workers get this certificate. */
  renew(certificate: Certificate): void {
    this.#current = { ...this.#current, certificate };
    for (const member of this.#members) member.send({ type: "certificate", certificate });
  }

  /** Gives a worker what it asks for, and what comes later, until the returned function is called. */
  attach(member: Member): () => void {
    let given: Certificate | undefined;
    const stop = member.listen(({ type }) => {
      const { certificate } = this.#current;
      if (type === "identify") {
        given = certificate;
        member.send({ type: "credentials", credentials: this.#current });
      }
      if (type !== "serving") return;
      this.#members.add(member);
      // It did not hear, before it listened, that there is another one.
      if (certificate !== undefined && certificate !== given)
        member.send({ type: "certificate", certificate });
    });
    return () => {
      stop();
      this.#members.delete(member);
    };
  }
}
