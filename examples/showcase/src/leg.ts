import type { Handler } from "@wye-examples/page-parts/files";

/** One of the three families, as the showcase presents and mounts it. */
export interface Leg {
  readonly id: "pipelines" | "vehicles" | "relay";
  readonly title: string;
  /** What a user gets from it, in a sentence or two. */
  readonly summary: string;
  /** The packages that exist, by their npm names. */
  readonly packages: readonly string[];
  /** The package to begin with, of which the snippet of the leg has a few lines. */
  readonly install: string;
  /** What it costs beside what one would use without it, as measured; `docs/figures.md` has it too. */
  readonly figure: { readonly text: string; readonly date: string; readonly bench: string };
  /** Things to look at in this very server: a label and a path. */
  readonly links: readonly { readonly label: string; readonly path: string }[];
  /** Serves everything below `/<id>/`, where the leg has something to serve. */
  readonly handler?: Handler;
  /** Ends what the leg keeps running. */
  readonly close?: () => Promise<void>;
}
