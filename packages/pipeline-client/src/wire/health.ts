import { type FieldReader, flag, readMessage, text } from "./read-message.js";

/** What a server says of itself. */
export interface ServerHealth {
  readonly commitSha?: string;
  /** Its version, such as `2.16.1`. */
  readonly tagName?: string;
  /** Whether namespaces count. */
  readonly multiUser?: boolean;
  /** Where pipelines are kept: `database` or `kubernetes`. */
  readonly pipelineStore?: string;
}

export const readHealth: FieldReader<ServerHealth> = readMessage<ServerHealth>({
  commitSha: text,
  tagName: text,
  multiUser: flag,
  pipelineStore: text,
});
