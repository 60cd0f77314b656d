import type { CompiledFlag } from "../compile/compiled-flag.js";
import { outcomeText, type TextForm } from "../compile/outcome.js";
import type { Snapshot } from "../compile/snapshot.js";
import { type Batch, engineOf } from "./engine.js";
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

/** An engine is not worth its memory for fewer flags. */
const MANY = 8;

const encoder = new TextEncoder();

/** Prepares the writing: flags with the same result for every context come first, ready; the others follow. */
export function createAllFlagsWriter(snapshot: Snapshot, audience: Audience, form: TextForm): AllFlagsWriter {
  const { program, texts } = snapshot.registry;
  const flags = snapshot.sorted.filter((flag) => isVisible(flag, audience));
  const ready = encoder.encode(
    flags
      .flatMap(({ constant }) => constant ?? [])
      .map((outcome) => `,${outcomeText(program.outcome(outcome), form)}`)
      .join(""),
  );
  const varying = flags.filter(({ constant }) => constant === undefined);
  const batch: Batch = {
    snapshot,
    // Memory is read best in the order in which it lies.
    places: Int32Array.from(varying, ({ code }) => code).sort(),
    slots: Int32Array.from(varying, ({ slot }) => slot),
  };
  return (scope, allocate) => {
    const engine = varying.length < MANY || snapshot.tooDeep.flags.size > 0 ? undefined : engineOf(scope);
    const size = engine?.evaluate(batch, form);
    if (engine !== undefined && size !== undefined) {
      const { turns } = engine;
      const body = bodyWith(ready, size, allocate);
      if (engine.turns !== turns)
        throw new TypeError("allocate evaluates flags itself, in the middle of an evaluation");
      engine.write(batch, size, body, ready.length);
      return bracketed(body);
    }
    const members = varying.map(({ code }) => texts.of(runFlag(scope, code), form, program)).join("");
    const body = bodyWith(ready, members.length, allocate);
    encoder.encodeInto(members, body.subarray(ready.length));
    return bracketed(body);
  };
}

/** A body that begins with what is ready, and has room for so many bytes more and what closes it. */
function bodyWith(ready: Uint8Array, size: number, allocate: Allocate): Uint8Array<ArrayBuffer> {
  const needed = Math.max(1, ready.length + size) + 1;
  const body = allocate(needed);
  if (body?.byteLength !== needed)
    throw new TypeError("allocate gives an array of the size that it is asked for");
  body.set(ready);
  return body;
}

/** Makes members an object. Each begins with a comma: that of the first makes room for the bracket. */
function bracketed(body: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer> {
  body[0] = OPENING;
  body[body.length - 1] = CLOSING;
  return body;
}
