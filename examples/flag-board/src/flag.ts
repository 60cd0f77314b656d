/** A flag as the service streams it: the members that the board knows. Others stay as they are. */
export interface Flag {
  readonly key: string;
  readonly version: number;
  readonly description?: string;
  readonly on: boolean;
  readonly variations: readonly unknown[];
  readonly offVariation?: number | null;
  readonly rules?: readonly Rule[] | null;
  readonly fallthrough?: Serving | null;
}

/** What follows: one variation, or a share of the contexts for each. */
export interface Serving {
  readonly variation?: number | null;
  readonly rollout?: Rollout | null;
}

export interface Rollout {
  readonly contextKind?: string;
  readonly variations: readonly { readonly variation: number; readonly weight: number }[];
}

export interface Rule extends Serving {
  readonly id?: string;
  readonly clauses?: readonly Clause[] | null;
}

export interface Clause {
  readonly contextKind?: string;
  readonly attribute?: string;
  readonly op?: string;
  readonly values?: readonly unknown[];
  readonly negate?: boolean;
}

/** The weights of a rollout add up to this. */
export const wholeWeight = 100_000;

/** Something about a flag that has to be mended before it can be served. */
export interface FlagProblem {
  readonly line: number;
  readonly column: number;
  /** JSON pointer of the member; empty for the flag as a whole. */
  readonly path: string;
  readonly message: string;
}
