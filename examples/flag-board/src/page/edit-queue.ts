import type { Refusal } from "../board-api.js";
import type { Flag } from "../flag.js";
import type { SaveResult } from "./board-client.js";

/** A change by a control, which fits any version of a flag, or a text that was written for one. */
export type Edit = ((flag: Flag) => Flag) | string;

export interface EditQueueOptions {
  readonly flag: Flag;
  readonly save: (text: string, version: number) => Promise<SaveResult>;
  /** The flag is now this, and nothing is waiting to be saved. */
  readonly settled: (flag: Flag) => void;
  /** An edit came to nothing. */
  readonly refused: (refusal: Refusal) => void;
}

/** Saves the edits of one flag one after the other. */
export interface EditQueue {
  /** The flag as the server has it, as far as is known. */
  readonly flag: Flag;
  /** Saves soon. Of several edits of one control that wait, only the last one is saved. */
  add(control: string, edit: Edit): void;
  /** Takes a version that came from elsewhere, unless edits are on their way. */
  take(flag: Flag): void;
}

export function createEditQueue({ flag, save, settled, refused }: EditQueueOptions): EditQueue {
  let current = flag;
  let busy = false;
  const waiting = new Map<string, Edit>();

  /** An edit by a control is made anew on what others left; a text is not, for it would undo their work unseen. */
  async function perform(edit: Edit): Promise<void> {
    for (;;) {
      const text = typeof edit === "string" ? edit : JSON.stringify(edit(current));
      const result = await save(text, current.version);
      if (result.kind !== "refused") current = result.flag;
      if (result.kind === "outdated" && typeof edit === "string") {
        refused({
          error:
            "somebody else has changed this flag. Save again to replace their version, or undo to see it",
        });
      } else if (result.kind === "refused") {
        refused(result.refusal);
      } else if (result.kind === "outdated") {
        continue;
      }
      return;
    }
  }

  async function drain(): Promise<void> {
    busy = true;
    for (let [next] = waiting; next !== undefined; [next] = waiting) {
      waiting.delete(next[0]);
      await perform(next[1]);
    }
    busy = false;
    settled(current);
  }

  return {
    get flag() {
      return current;
    },
    add(control, edit) {
      waiting.set(control, edit);
      if (!busy) void drain();
    },
    take(other) {
      if (busy || other.version === current.version) return;
      current = other;
      settled(current);
    },
  };
}
