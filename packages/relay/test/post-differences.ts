import { isDeepStrictEqual } from "node:util";
import type { Difference } from "./difference.js";
import type { Observation } from "./replay.js";

/** How the posts of events differ. */
export const postDifferences: readonly Difference[] = [
  {
    id: "refused-posts",
    reference: "A 401 on an event post ends the forwarding for good.",
    here: "The post is dropped; the next ones are tried.",
    reason: "A key that is being rotated would silence all events.",
    adjust: (recorded, { actual, eventsFailure }) =>
      eventsFailure === "401" && isEmpty(recorded) && deliveredOnce(actual) ? actual : recorded,
  },
  {
    id: "kept-posts",
    reference: "Events that upstream did not take twice are lost.",
    here: "They are kept within the buffer and sent with the next flush. What is answered with 400 again and again, and with 413 at once, is sent in parts, until what cannot be taken is alone and dropped.",
    reason:
      "What was answered with 202 should survive a short outage, and one event should not spoil others.",
    adjust: (recorded, { actual, eventsFailure }) =>
      eventsFailure === "503" && isEmpty(recorded) && deliveredOnce(actual) ? actual : recorded,
  },
  {
    id: "posts-in-parts",
    reference: "A post that is answered with 413 is dropped.",
    here: "It is sent in parts, until what is too large is alone.",
    reason: "Posts of many SDKs are merged; one by one they would be taken.",
    adjust: (recorded, { actual, eventsFailure }) => {
      if (eventsFailure !== "413" || recorded.kind !== "posts" || actual.kind !== "posts") return recorded;
      const [before, now] = [recorded.value[0]?.body, actual.value[0]?.body];
      const areParts =
        Array.isArray(before) &&
        Array.isArray(now) &&
        isDeepStrictEqual(now.slice(0, before.length), before) &&
        now.every((event) => before.some((one) => isDeepStrictEqual(event, one)));
      return areParts ? actual : recorded;
    },
  },
  {
    id: "tried-posts",
    reference: "A post that upstream does not take is tried twice.",
    here: "It is tried twice with each flush.",
    reason: "See the entry before this one.",
    adjust: (recorded, { actual, eventsFailure }) => {
      if (eventsFailure !== "503" || recorded.kind !== "posts" || actual.kind !== "posts") return recorded;
      const [before, now] = [recorded.value[0]?.body, actual.value[0]?.body];
      const repeats =
        Array.isArray(before) &&
        Array.isArray(now) &&
        now.length > before.length &&
        now.every((event, index) => isDeepStrictEqual(event, before[index % 2]));
      return repeats ? actual : recorded;
    },
  },
];

function isEmpty(recorded: Observation): boolean {
  return recorded.kind === "posts" && recorded.value.length === 0;
}

/** Whether the two events of the recording arrived, and nothing else. */
function deliveredOnce(actual: Observation): boolean {
  const bodies = actual.kind === "posts" ? actual.value.map(({ body }) => body) : [];
  return bodies.length === 1 && Array.isArray(bodies[0]) && bodies[0].length === 2;
}
