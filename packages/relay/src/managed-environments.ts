import { RelayError } from "./error.js";

/** What is left of `Environments` where something else than the host adds, changes and removes them. */
export interface ManagedEnvironments {
  names(): string[];
  add(): Promise<never>;
  update(): Promise<never>;
  remove(): Promise<never>;
  rotateKey(): never;
  setUnserved(): never;
}

/** Environments that calls do not change: each says where they are changed. */
export function managedEnvironments(environments: { names(): string[] }): ManagedEnvironments {
  const refuse = (): never => {
    throw new RelayError(
      "managed",
      "the environments come from automatic configuration or from a file: change them there, or serve others with a relay of their own",
    );
  };
  return {
    names: () => environments.names(),
    add: async () => refuse(),
    update: async () => refuse(),
    remove: async () => refuse(),
    rotateKey: refuse,
    setUnserved: refuse,
  };
}
