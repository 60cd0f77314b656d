import type { Document } from "./document.js";
import { judge, type Verdict } from "./judge.js";
import { type Mutation, mutationKinds } from "./mutation-kinds.js";
import { warnedKinds } from "./warned-kinds.js";

/** A mutant of a file. */
export interface Mutant {
  readonly kind: string;
  readonly file: string;
  readonly document: Document;
  readonly mutation: Mutation;
}

/** All mutants of all files. */
export function* allMutants(
  files: readonly { readonly name: string; readonly document: Document }[],
): Generator<Mutant> {
  for (const { name: file, document } of files) {
    for (const [kind, find] of Object.entries(mutationKinds)) {
      for (const mutation of find(document)) yield { kind, file, document, mutation };
    }
  }
}

/** How the mutants of a run fared. */
export interface Score {
  readonly all: number;
  readonly survived: readonly string[];
  readonly elsewhere: readonly string[];
  readonly noisy: readonly string[];
  /** Kinds that occurred. */
  readonly kinds: ReadonlySet<string>;
}

/** Judges mutants one after the other. */
export function scoreOf(mutants: Iterable<Mutant>): Score {
  const failures: Record<NonNullable<Verdict["failure"]>, string[]> = {
    survived: [],
    elsewhere: [],
    noisy: [],
  };
  const kinds = new Set<string>();
  let all = 0;
  for (const { kind, file, document, mutation } of mutants) {
    all++;
    kinds.add(kind);
    const { failure } = judge(document, mutation, Object.hasOwn(warnedKinds, kind) ? "warning" : "error");
    if (failure === undefined) continue;
    const text = `${kind} in ${file}: ${JSON.stringify(mutation.edits).slice(0, 200)}`;
    failures[failure].push(text);
  }
  return { all, ...failures, kinds };
}

/** Takes some mutants of each kind, the same ones for the same seed. */
export function sample(mutants: Iterable<Mutant>, perKind: number, seed: number): Mutant[] {
  const byKind = new Map<string, Mutant[]>();
  for (const mutant of mutants) byKind.set(mutant.kind, [...(byKind.get(mutant.kind) ?? []), mutant]);
  let state = seed;
  // A linear congruential generator is random enough to pick samples.
  const random = (): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
  return [...byKind.values()].flatMap((group) => {
    const rest = [...group];
    const count = Math.min(perKind, rest.length);
    return Array.from({ length: count }, () => rest.splice(Math.floor(random() * rest.length), 1)).flat();
  });
}
