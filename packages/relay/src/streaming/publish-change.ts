import type { Evaluator } from "@wye/flag-evaluator";
import type { Change } from "../change.js";
import type { FlagSet } from "../flag-set.js";
import type { Broadcaster } from "./broadcaster.js";
import { type ClientChange, clientPutFrame, createClientChange } from "./client-view.js";
import { type Frame, pingFrame } from "./frame.js";
import { allPutFrame, flagsPutFrame, itemFrame } from "./representations.js";
import type { Channel, Subscriber } from "./subscriber.js";

/** Tells every open stream about a change that `flags` have from now on. */
export function publishChange(
  flags: FlagSet,
  streams: Broadcaster,
  change: Change,
  previous: Evaluator,
): void {
  const current = flags.evaluator;
  // Made when the first subscriber of its kind needs it, shared by the others.
  const frames = new Map<Channel, Frame | undefined>();
  let clientChange: ClientChange | undefined;
  streams.send(({ channel, view }) => {
    if (view !== undefined) {
      clientChange ??= createClientChange(previous, current, change);
      return clientChange.frameFor(view);
    }
    if (!frames.has(channel)) frames.set(channel, sharedFrame(flags, change, channel));
    return frames.get(channel);
  });
}

function sharedFrame(flags: FlagSet, change: Change, channel: Channel): Frame | undefined {
  if (channel === "ping" || channel === "client") return pingFrame;
  if (change.extent === "full") return flags.derive(channel === "all" ? allPutFrame : flagsPutFrame);
  const [item, ...others] = change.items;
  if (item === undefined) return undefined;
  if (others.length > 0) return flags.derive(channel === "all" ? allPutFrame : flagsPutFrame);
  if (channel === "all") return itemFrame(`/${item.kind}/${item.key}`, item);
  return item.kind === "flags" ? itemFrame(`/${item.key}`, item) : undefined;
}

/** What a stream starts with. */
export function initialFrame(flags: FlagSet, { channel, view }: Subscriber): Frame {
  if (view !== undefined) return clientPutFrame(flags.evaluator, view);
  if (channel === "ping" || channel === "client") return pingFrame;
  return flags.derive(channel === "all" ? allPutFrame : flagsPutFrame);
}
