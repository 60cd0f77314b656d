import type { Change } from "../change.js";
import { givenUp, inTurns } from "../steps.js";
import { changeFromEvent } from "./change-from-event.js";
import { followStream } from "./follow-stream.js";
import type { SourceFactory } from "./source.js";

/**
 * Reads the flags of an environment from the stream `/all` of the upstream service: connects, delivers every event,
 * connects again after a pause when the connection ends, is silent for too long or carries something malformed. Stops
 * only when upstream refuses the key.
 */
export const streamSource: SourceFactory = (context) => {
  const { sdkKey, filter, clock, random, upstream, sink, logger } = context;
  const query = filter === undefined ? "" : `?filter=${encodeURIComponent(filter)}`;
  let closed = false;
  const deliver = (change: Change | typeof givenUp | undefined) =>
    change === undefined || change === givenUp ? undefined : sink.apply(change);
  const close = followStream({
    url: `${upstream.stream}/all${query}`,
    key: sdkKey,
    upstream,
    clock,
    random,
    logger,
    name: "upstream stream",
    onEvent({ event = "message", data }) {
      const change = inTurns(changeFromEvent(event, data), () => !closed);
      return change instanceof Promise ? change.then(deliver) : deliver(change);
    },
    onFailure: ({ kind, message }) => sink.interrupted(kind, message),
    onRefusal: ({ kind, message }) => sink.refused(kind, message),
  });
  return {
    close() {
      closed = true;
      close();
    },
  };
};
