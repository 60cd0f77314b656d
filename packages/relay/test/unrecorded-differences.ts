import type { Difference } from "./difference.js";

/** The differences that no recording shows; each has tests of its own. */
export const unrecordedDifferences: readonly Omit<Difference, "adjust">[] = [
  {
    id: "plural-report",
    reference: "REPORT knows `/context` and `/user` only.",
    here: "It also knows `/contexts` and `/users`.",
    reason: "The specification prints the plural.",
  },
  {
    id: "lenient-contexts",
    reference: "The standard alphabet of base64 and `application/json` with parameters are refused.",
    here: "Both are understood.",
    reason: "Nothing depends on the refusal.",
  },
  {
    id: "parser-texts",
    reference: "A context that cannot be read is answered with the text of the parser.",
    here: "With a text of our own.",
    reason: "Only status and shape are stable in the reference as well.",
  },
  {
    id: "no-accel-header-on-errors",
    reference: "`X-Accel-Buffering: no` is also on errors of streams.",
    here: "It is on streams.",
    reason: "It says nothing about an error.",
  },
  {
    id: "image-alphabets",
    reference: "The events of `/a/{envId}.gif` are lost unless they are in padded standard base64.",
    here: "Both alphabets are read, padded or not.",
    reason: "Browser SDKs send the other one.",
  },
  {
    id: "body-limits",
    reference: "A body beyond the limit is answered with 400; REPORT bodies have no limit.",
    here: "413, for REPORT as well.",
    reason: "That is what the status is for.",
  },
  {
    id: "context-bounds",
    reference: "A context may have any number of members and kinds.",
    here: "50,000 members, at any depth, and 1,000 kinds; more is answered with 400.",
    reason: "Reading more takes much longer than its length allows, and no application has them.",
  },
  {
    id: "deep-events",
    reference: "Events of any depth are accepted.",
    here: "Events that nest deeper than 256 levels are answered with 400.",
    reason: "What is accepted has to be written again.",
  },
  {
    id: "masking",
    reference: "Only hexadecimal digits of keys are masked.",
    here: "Everything is, except a known prefix, hyphens and at most the last five characters.",
    reason: "Keys of another alphabet were shown almost in full.",
  },
  {
    id: "client-streams",
    reference: "`/eval` and `/meval` carry `ping` only.",
    here: 'They carry evaluated `put`, `patch` and `delete`; `clientStream: "ping"` gives the reference\'s behaviour.',
    reason: "A ping makes every client poll; all official SDKs understand the evaluated events.",
  },
  {
    id: "rotation",
    reference:
      "A new SDK key answers 503 until its connection is made; one that upstream refuses disables the environment.",
    here: "Requests go on being served with the flags at hand.",
    reason: "A rotation must not be an outage.",
  },
  {
    id: "refused-keys",
    reference:
      "Any 4xx from upstream's stream but 400, 408 and 429 ends an environment for good; one without data answers 401.",
    here: "Only 401 and 403 mean a wrong key, and it is asked again, every ten minutes at last; other statuses are failures that pass.",
    reason: "A proxy's 404, or a key that upstream does not know yet, must not stop SDKs for good.",
  },
  {
    id: "items-without-version",
    reference: "A `patch` or `delete` without a version counts as version 0 and is passed over.",
    here: "It is malformed data: reported, and the stream is opened anew.",
    reason: "A deletion that is lost in silence leaves a flag on.",
  },
  {
    id: "several-keys",
    reference: "An environment has one mobile key, and expiring SDK keys only from automatic configuration.",
    here: "It has any number of both, each with an optional moment at which it expires.",
    reason: "Keys in apps that are installed are replaced over months.",
  },
  {
    id: "malformed-items",
    reference: "One malformed flag makes a whole put malformed.",
    here: "That flag is malformed for every context, and one that is no object is left out of what SDKs are sent; the others are served.",
    reason: "One flag should not stop the updates of all.",
  },
  {
    id: "coalesced-changes",
    reference:
      "Every write that upstream makes is broadcast, also one that changes nothing, and a ping follows whatever was written.",
    here: "A stream is sent what leads from the state that it was told last to the present one: changes of one turn, or those that come while its reader is behind, are one event; a put that changes a few flags is their patches; pings come when the audience may see a change, spread by a millisecond for each stream.",
    reason: "Bursts dropped slow readers, and pings made all clients ask at once.",
  },
  {
    id: "consul-prefixes",
    reference: "With Consul the prefix `ld` deletes the keys of `ld2` at each full set.",
    here: "Only keys below `ld/` are touched.",
    reason: "They belong to somebody else.",
  },
  {
    id: "large-items",
    reference: "An item that DynamoDB does not take is served until the cache has expired, and then no more.",
    here: "It is served from memory.",
    reason: "What cannot be kept can still be served.",
  },
  {
    id: "refused-configuration",
    reference: "401 or 403 to the key of automatic configuration ends the process.",
    here: "It is told by `ready`, the status and `onError`, and asked again; environments that are there are served.",
    reason: "A library does not end its host.",
  },
  {
    id: "announced-keys",
    reference:
      "A notice with a moment that has passed, or about a key that was never seen, leaves the previous key accepted for ever; the first moment of an expiring key holds.",
    here: "The previous key is gone unless it is the one that expires; the last moment that was announced holds.",
    reason: "A key that was revoked must not go on working.",
  },
  {
    id: "announced-filters",
    reference:
      "A filter whose key changes is not changed; a filtered environment that comes after a rotation uses the old key; in the status the variants of an environment hide each other.",
    here: "Filters follow what is announced, use the present keys, and stand as `envId/filter` in the status.",
    reason: "Those are faults.",
  },
  {
    id: "broken-announcements",
    reference: "One environment of the wrong shape makes a full set malformed.",
    here: "It stays as it was, and the others are served.",
    reason: "One environment should not take all the others along.",
  },
  {
    id: "unserved-environments",
    reference: "An environment that cannot be made is told in the log, and its credentials are unknown.",
    here: "It is `disconnected` in the status, with a `problem`; its credentials get 503, and it is tried again.",
    reason: "SDKs that meet 401 stop for good, and nobody sees what is in no status.",
  },
  {
    id: "offline-start",
    reference: "A file that is missing or broken at the start ends the process.",
    here: "Requests get 503 until it can be read; `ready`, the status and `onError` tell why.",
    reason: "Volumes are mounted late, and files written slowly.",
  },
  {
    id: "offline-contents",
    reference: "An environment of an archive is read anew when its `version` or `dataId` changes.",
    here: "When its contents do.",
    reason: "Archives are edited by hand as well.",
  },
  {
    id: "archive-names",
    reference: "A name that leads out of an archive is made to stay inside.",
    here: "The archive is refused.",
    reason: "Upstream makes no such name.",
  },
  {
    id: "big-segments-in-step",
    reference: "The time of synchronisation is written every 30 seconds, whatever the database has by then.",
    here: "It is written after a look at the cursor; a database that was emptied is filled first.",
    reason: "Every reader of the database takes it for the truth.",
  },
  {
    id: "goals-age",
    reference:
      "Goals that are kept do not say how old they are, and are kept for `max-age` wherever they come from.",
    here: "`Age` tells, and that of upstream counts.",
    reason: "RFC 9111: browsers would keep them for longer than upstream allows.",
  },
  {
    id: "lost-for-long",
    reference: "A failure is long when the present state has lasted for `disconnectedStatusTime`.",
    here: "When there has been no connection for that time, through whatever states.",
    reason:
      "The specification says so; a key that is refused is asked again here, and each time would begin anew.",
  },
  {
    id: "streams-of-secure-mode",
    reference: "Streams stay when secure mode is switched on.",
    here: "Those that have not proved whom they are for end, as do those whose proof was made with a key that has ended.",
    reason: "They would be told for hours what they may not ask.",
  },
  {
    id: "announced-without-data",
    reference: "A full set of automatic configuration without `data` is one of no environments.",
    here: "It is malformed, and nothing changes.",
    reason: "It is a part of a message, and would stop all SDKs for good.",
  },
];
