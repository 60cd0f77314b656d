import type { SourceFactory } from "./source.js";

const ownFlags = new WeakSet<SourceFactory>();

/** A source whose flags belong to the name that it is given to: it asks nobody, so that no key opens them. */
export function withOwnFlags(source: SourceFactory): SourceFactory {
  ownFlags.add(source);
  return source;
}

export function hasOwnFlags(source: SourceFactory | undefined): boolean {
  return source !== undefined && ownFlags.has(source);
}
