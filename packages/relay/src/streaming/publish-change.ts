import type { Evaluator } from "@wye/flag-evaluator";
import type { Change } from "../change.js";
import type { Environment } from "../environment.js";
import { type ClientChange, clientPutFrame, createClientChange } from "./client-view.js";
import { type Frame, pingFrame } from "./frame.js";
import { allPutFrame, flagsPutFrame, itemFrame } from "./representations.js";
import type { Channel, Subscriber } from "./subscriber.js";

/** Tells every open stream of an environment about a change that it serves from now on. */
export function publishChange(environment: Environment, change: Change, previous: Evaluator): void {
  const current = environment.flags.evaluator;
  // Made when the first subscriber of its kind needs it, shared by the others.
  const frames = new Map<Channel, Frame | undefined>();
  let clientChange: ClientChange | undefined;
  environment.streams.send(({ channel, view }) => {
    if (view !== undefined) {
      clientChange ??= createClientChange(previous, current, change);
      return clientChange.frameFor(view);
    }
    if (!frames.has(channel)) frames.set(channel, sharedFrame(environment, change, channel));
    return frames.get(channel);
  });
}

function sharedFrame(environment: Environment, change: Change, channel: Channel): Frame | undefined {
  if (channel === "ping" || channel === "client") return pingFrame;
  if (change.extent === "full")
    return environment.flags.derive(channel === "all" ? allPutFrame : flagsPutFrame);
  const [item, ...others] = change.items;
  if (item === undefined) return undefined;
  if (others.length > 0) return environment.flags.derive(channel === "all" ? allPutFrame : flagsPutFrame);
  if (channel === "all") return itemFrame(`/${item.kind}/${item.key}`, item);
  return item.kind === "flags" ? itemFrame(`/${item.key}`, item) : undefined;
}

/** What a stream starts with. */
export function initialFrame({ flags }: Environment, { channel, view }: Subscriber): Frame {
  if (view !== undefined) return clientPutFrame(flags.evaluator, view);
  if (channel === "ping" || channel === "client") return pingFrame;
  return flags.derive(channel === "all" ? allPutFrame : flagsPutFrame);
}
