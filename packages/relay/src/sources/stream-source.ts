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
  const close = followStream({
    url: `${upstream.stream}/all${query}`,
    key: sdkKey,
    upstream,
    clock,
    random,
    logger,
    name: "upstream stream",
    async onEvent({ event = "message", data }) {
      const change = await inTurns(changeFromEvent(event, data), () => !closed);
      if (change !== undefined && change !== givenUp) await sink.apply(change);
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
