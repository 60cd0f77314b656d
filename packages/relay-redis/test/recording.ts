import { readFileSync } from "node:fs";
import type { FakeData } from "@wye/relay/testing";

/** All keys of the database: text of strings, text by field of hashes. */
export type Dump = Readonly<Record<string, string | Readonly<Record<string, string>>>>;

/** A recorded answer; see testdata/README.md. */
export interface RecordedResponse {
  readonly status: number;
  readonly json?: unknown;
  readonly stream?: string;
}

/** One step of the conversation; exactly one of the first group says which kind it is. */
export interface Step {
  readonly request?: { readonly path: string; readonly headers?: Readonly<Record<string, string>> };
  readonly dump?: boolean;
  readonly send?: { readonly key: string; readonly event: string; readonly data: unknown };
  readonly mode?: { readonly key: string; readonly mode: "ok" | "silent"; readonly drop?: boolean };
  readonly start?: boolean;
  readonly stop?: boolean;
  readonly killRedis?: boolean;
  readonly startRedis?: boolean;
  readonly sleep?: number;

  readonly response?: RecordedResponse;
  /** The command, or with `dump` what the database held. */
  readonly redis?: readonly string[] | Dump;
}

export interface Recording {
  readonly config: {
    readonly environments: Readonly<
      Record<
        string,
        {
          readonly sdkKey: string;
          readonly mobileKey: string;
          readonly envId: string;
          readonly prefix: string;
        }
      >
    >;
    readonly Redis: { readonly localTtl: `${number}s` };
  };
  readonly upstream: { readonly envs: Readonly<Record<string, { readonly data: FakeData }>> };
  readonly steps: readonly Step[];
}

/** Reads the recorded conversation. */
export function readRecording(): Recording {
  return JSON.parse(readFileSync(new URL("../testdata/redis.json", import.meta.url), "utf8"));
}
