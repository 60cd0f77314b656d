import { prefixedLogger } from "../logger.js";
import { createBackoff, slowPauses } from "../sources/backoff.js";
import { followStream } from "../sources/follow-stream.js";
import type { AnnouncementSourceFactory } from "./announcement-source.js";
import { Announcements } from "./announcements.js";
import { readConfigurationEvent } from "./configuration-event.js";

/** Follows the stream in which upstream says which environments there are. */
export const announcementStream: AnnouncementSourceFactory = ({ key, sink, ...context }) => {
  const { upstream, clock, random } = context;
  const logger = prefixedLogger(context.logger, "[automatic configuration]");
  const announcements = new Announcements();
  const slow = createBackoff({ ...slowPauses, random, monotonic: () => clock.monotonic() });
  let end = () => {};

  function follow(): void {
    end = followStream({
      ...context,
      logger,
      url: `${upstream.stream}/relay_auto_config?rpacProtocolVersion=2`,
      key,
      name: "stream",
      onEvent({ event: name = "message", data }) {
        const event = readConfigurationEvent(name, data);
        if (event.kind === "passed-over") logger.warn(event.reason);
        if (event.kind === "reconnect") return "reconnect";
        sink.apply(announcements.apply(event, clock.now()));
        slow.good();
        return undefined;
      },
      onFailure: ({ kind, message }) => sink.interrupted(kind, message),
      onRefusal({ message }) {
        sink.refused(message);
        const pauseMs = slow.nextMs();
        logger.warn(`asking again in ${Math.round(pauseMs)} ms`);
        end = clock.schedule(pauseMs, follow);
      },
    });
  }

  follow();
  return { close: () => end() };
};
