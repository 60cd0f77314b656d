import type { FlagSet } from "../flag-set.js";
import { clientPutFrame } from "./client-view.js";
import { type Frame, pingFrame } from "./frame.js";
import { allPutFrame, flagsPutFrame } from "./representations.js";
import type { Recipient } from "./subscriber.js";

/** What a stream starts with: everything, as it is now. */
export function initialFrame(flags: FlagSet, { channel, view }: Recipient): Frame {
  if (view !== undefined) return clientPutFrame(flags.evaluator, view);
  if (channel === "ping" || channel === "client") return pingFrame;
  return flags.derive(channel === "all" ? allPutFrame : flagsPutFrame);
}
