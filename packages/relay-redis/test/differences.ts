import type { CompatibilityRow } from "../../../scripts/compatibility-table.js";
import type { Observation } from "./observation.js";
/** A behaviour in which a relay with Redis differs from the recorded one on purpose. */
export interface Difference extends CompatibilityRow {
  /** Turns what was recorded into what is expected here; gives what it got where it has nothing to say. */
  readonly adjust: (recorded: Observation, actual: Observation, situation: Situation) => Observation;
}

/** How things stand in the conversation. */
export interface Situation {
  /** The database is ended, or holds what nobody can read. */
  readonly databaseFails: boolean;
  /** What the same request was last answered with while the database was well. */
  readonly before: Observation | undefined;
}

const isFields = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null;

/** The differences that the recording shows. */
export const differences: readonly Difference[] = [
  {
    id: "database-failing",
    reference:
      "One item that is no JSON, or a database that is away for longer than `localTtl`, makes every evaluation and poll 500 and every stream begin without data.",
    here: "The item is left out with a line in the log, and everything else is served from memory.",
    reason: "Flags that are known are better than none.",
    adjust: (recorded, _actual, { databaseFails, before }) => {
      const failed =
        recorded.kind === "response"
          ? recorded.status === 500
          : recorded.kind === "stream" && recorded.events.length === 0;
      return databaseFails && failed && before !== undefined ? before : recorded;
    },
  },
  {
    id: "own-version",
    reference: "`version` and `clientVersion` are those of the reference and its SDK.",
    here: "`version` is that of this relay, and `clientVersion` that of the same package.",
    reason: "They tell what is running.",
    adjust: (recorded, actual) => {
      if (recorded.kind !== "response" || actual.kind !== "response") return recorded;
      if (!isFields(recorded.json) || !isFields(actual.json) || !("clientVersion" in recorded.json))
        return recorded;
      const { version, clientVersion } = actual.json;
      return { ...recorded, json: { ...recorded.json, version, clientVersion } };
    },
  },
  {
    id: "last-error-survives",
    reference:
      "When the database is back, the connection to upstream is made anew and its `lastError` is forgotten.",
    here: "The connection goes on, and `lastError` tells of the last time that it was lost.",
    reason: "What was missed is written from memory: nothing has to be fetched again.",
    adjust: (recorded, actual) => {
      if (recorded.kind !== "response" || actual.kind !== "response") return recorded;
      const lost = JSON.stringify(actual.json).match(
        /"lastError":(\{"kind":"NETWORK_ERROR","time":\d+\})/,
      )?.[1];
      if (lost === undefined) return recorded;
      const json = JSON.stringify(recorded.json).replace(
        /("connectionStatus":\{"state":"VALID","stateSince":"[^"]*")\}/,
        `$1,"lastError":${lost}}`,
      );
      return { ...recorded, json: JSON.parse(json) };
    },
  },
];
