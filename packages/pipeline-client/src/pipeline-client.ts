import type { CallOptions } from "./client-options.js";
import type { PipelineLinks } from "./links.js";
import type { ExperimentsApi } from "./resources/experiments-api.js";
import type { PipelinesApi } from "./resources/pipelines-api.js";
import type { RecurringRunsApi } from "./resources/recurring-runs-api.js";
import type { RunsApi } from "./resources/runs-api.js";
import type { VersionsApi } from "./resources/versions-api.js";
import type { ServerHealth } from "./wire/health.js";

/** A request that this client has no call for. */
export interface RawRequest extends CallOptions {
  /** What follows the host, such as `/apis/v2beta1/runs/1234/tasks`, encoded. */
  readonly path: string;
  /** `GET` if not given. */
  readonly method?: "GET" | "HEAD" | "POST" | "PATCH" | "PUT" | "DELETE" | undefined;
  readonly query?: Readonly<Record<string, string | undefined>> | undefined;
  /** Sent as JSON, or as it is when it is bytes. */
  readonly body?: unknown;
  /** Of the body. */
  readonly contentType?: string | undefined;
}

/** What came back. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly bytes: Uint8Array;
  /** The body as JSON, with the digits of integers beyond 2^53 - 1 as texts. */
  json(): unknown;
}

/** A client of one server. It holds nothing that must be closed. */
export interface PipelineClient {
  readonly pipelines: PipelinesApi;
  readonly versions: VersionsApi;
  readonly experiments: ExperimentsApi;
  readonly runs: RunsApi;
  readonly recurringRuns: RecurringRunsApi;
  /** Addresses of the web page. */
  readonly links: PipelineLinks;
  /** What the server is, and whether it has several users. */
  health(options?: CallOptions): Promise<ServerHealth>;
  /** Sends any request, with the credentials, limits and errors of this client. Only GET and HEAD are tried again in doubt. */
  request(request: RawRequest): Promise<RawAnswer>;
}
