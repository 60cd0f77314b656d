import { dataKinds } from "./data-kinds.js";
import type { Document, Edit, Path } from "./document.js";
import { executorKinds } from "./executor-kinds.js";
import { flowKinds } from "./flow-kinds.js";
import { formKinds } from "./form-kinds.js";
import { referenceKinds } from "./reference-kinds.js";

/** One mistake made in one place. */
export interface Mutation {
  readonly edits: readonly Edit[];
  /** Where the mistake is, or the places where it takes effect. */
  readonly places: readonly Path[];
  /** True where the back end may run the file all the same, so that a warning will do. */
  readonly mayRun?: boolean;
}

/** A kind of mistake: all the ways to make it in a document. */
export type MutationKind = (document: Document) => Iterable<Mutation>;

/** All kinds of mistakes by name. */
export const mutationKinds: Readonly<Record<string, MutationKind>> = {
  ...referenceKinds,
  ...dataKinds,
  ...flowKinds,
  ...executorKinds,
  ...formKinds,
};
