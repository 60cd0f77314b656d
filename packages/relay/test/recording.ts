import { readFileSync } from "node:fs";
import type { FakeData } from "../src/testing/fake-environment.js";

/** A recorded answer; see testdata/README.md. */
export interface RecordedResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly body?: string;
  readonly stream?: string;
}

export interface RecordedRequest {
  readonly method?: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Base64. */
  readonly raw?: string;
}

export interface RecordedPost {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly gzip?: boolean;
  readonly body: unknown;
}

/** One step of a conversation; exactly one of the first group says which kind it is. */
export interface Step {
  readonly request?: RecordedRequest;
  readonly open?: string;
  readonly read?: string;
  readonly close?: string;
  readonly send?: { readonly key: string; readonly event: string; readonly data: unknown };
  readonly mode?: { readonly key: string; readonly mode: string; readonly drop?: boolean };
  readonly eventsMode?: string;
  readonly received?: readonly RecordedPost[];
  readonly upstreamRequests?: readonly { readonly path: string; readonly headers: Record<string, string> }[];
  readonly start?: boolean;
  readonly sleep?: number;
  readonly auto?: { readonly event: string; readonly data: unknown };
  readonly file?: { readonly name: string; readonly base64: string };

  readonly response?: RecordedResponse;
  readonly with?: RecordedRequest;
  readonly stream?: string;
  readonly ended?: boolean;
  readonly ms?: number;
}

export interface RecordedEnvironment {
  readonly sdkKey: string;
  readonly mobileKey?: string;
  readonly envId?: string;
  readonly ttl?: string;
  readonly projKey?: string;
  readonly allowedOrigin?: string[];
  readonly allowedHeader?: string[];
}

export interface Recording {
  readonly name: string;
  readonly config: {
    readonly main?: {
      readonly initTimeout?: string;
      readonly heartbeatInterval?: string;
      readonly disconnectedStatusTime?: string;
    };
    readonly events?: { readonly flushInterval?: string };
    readonly environments?: Readonly<Record<string, RecordedEnvironment>>;
    readonly AutoConfig?: { readonly key: string };
    readonly OfflineMode?: {
      readonly fileDataSource: string;
      readonly fileDataSourceMonitoringInterval: string;
    };
    readonly filters?: Readonly<Record<string, { readonly keys: string[] }>>;
  };
  /** Written into the folder `$DIR` before the start, as base64. */
  readonly files?: Readonly<Record<string, string>>;
  readonly upstream?: {
    readonly envs: Readonly<
      Record<
        string,
        {
          readonly data?: FakeData;
          readonly mode?: string;
          readonly filters?: Readonly<Record<string, FakeData>>;
        }
      >
    >;
    readonly goals?: Readonly<Record<string, string>>;
  };
  readonly steps: readonly Step[];
}

/** Reads a recorded conversation. */
export function readRecording(name: string): Recording {
  return JSON.parse(readFileSync(new URL(`../testdata/${name}.json`, import.meta.url), "utf8"));
}
