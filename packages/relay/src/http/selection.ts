import type { Exchange } from "./exchange.js";

/** Where a credential leads. */
export type Selection =
  | { readonly kind: "found"; readonly environment: Exchange["environment"]; readonly digest: string }
  | { readonly kind: "unknown-filter" }
  /** To an environment that should be there. */
  | { readonly kind: "unserved" }
  | { readonly kind: "unknown" };
