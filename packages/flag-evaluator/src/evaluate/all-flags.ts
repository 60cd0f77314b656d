import type { CompiledFlag } from "../compile/compiled-flag.js";
import type { TextForm } from "../compile/outcome.js";
import type { Snapshot } from "../compile/snapshot.js";
import { runFlag } from "./evaluate-flag.js";
import type { Scope } from "./scope.js";

/** Who asks, and so which flags are shown: all to servers, to others those that are marked as available there. */
export type Audience = "server" | "mobile" | "browser";

/** All audiences. */
export const audiences: readonly Audience[] = ["server", "mobile", "browser"];

/** Whether an audience gets to see a flag. */
export function isVisible(flag: CompiledFlag, audience: Audience): boolean {
  if (audience === "server") return true;
  return audience === "mobile" ? flag.usingMobileKey : flag.usingEnvironmentId;
}

/** Makes an array of that size, whatever is in it. */
export type Allocate = (size: number) => Uint8Array<ArrayBuffer>;

/** Writes the results of flags for the scope's context as one JSON object. */
export type AllFlagsWriter = (scope: Scope, allocate: Allocate) => Uint8Array<ArrayBuffer>;

const OPENING = 0x7b;
const CLOSING = 0x7d;

/** Prepares the writing: flags with the same result for every context come first, ready; the others follow. */
export function createAllFlagsWriter(
  { sorted, registry: { program, bytes } }: Snapshot,
  audience: Audience,
  form: TextForm,
): AllFlagsWriter {
  const flags = sorted.filter((flag) => isVisible(flag, audience));
  const ready = joined(
    flags.flatMap(({ constant }) => constant ?? []).map((n) => bytes.of(n, form, program)),
  );
  const varying = flags.filter(({ constant }) => constant === undefined);
  // Memory is read best in the order in which it lies.
  const places = Int32Array.from(varying, ({ code }) => code).sort();
  const slots = Int32Array.from(varying, ({ slot }) => slot);
  const known = bytes.inForm(form);
  return (scope, allocate) => {
    const { results, pieces } = scope;
    // Members begin with a comma; that of the first makes room for the bracket.
    let size = Math.max(1, ready.length) + 1;
    if (ready.length === 0 && varying.length > 0) size--;
    for (let i = 0; i < places.length; i++) runFlag(scope, places[i] ?? 0);
    for (let i = 0; i < slots.length; i++) {
      const outcome = results[slots[i] ?? 0] ?? 0;
      const piece = known[outcome] ?? bytes.of(outcome, form, program);
      pieces[i] = piece;
      size += piece.length;
    }
    const text = allocate(size);
    text.set(ready);
    let at = ready.length;
    for (let i = 0; i < varying.length; i++) {
      const piece = pieces[i] as Uint8Array;
      text.set(piece, at);
      at += piece.length;
    }
    text[0] = OPENING;
    text[size - 1] = CLOSING;
    return text;
  };
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const all = new Uint8Array(pieces.reduce((size, piece) => size + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}
