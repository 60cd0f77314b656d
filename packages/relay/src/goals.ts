import { type Dispatcher, request } from "undici";
import type { Clock } from "./clock.js";
import type { Logger } from "./logger.js";
import type { ResolvedUpstream } from "./options/resolve-options.js";

/** What upstream said about goals, ready to be passed on. */
export interface GoalsAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[]>>;
  readonly body: Buffer;
  /** Whether it was kept from an earlier request. */
  readonly fromCache: boolean;
}

interface CacheEntry {
  readonly answer: GoalsAnswer;
  readonly freshUntil: number;
}

const maxBytes = 10 * 1024 * 1024;
/** Headers of one connection, and those that this relay sets itself. */
const dropped =
  /^(?:access-control-.*|connection|content-length|date|keep-alive|set-cookie|transfer-encoding|vary)$/;

/** What the fetching of goals needs of the environment whose goals they are. */
export interface GoalsPort {
  readonly logger: Logger;
  readonly clock: Clock;
  readonly upstream: Pick<ResolvedUpstream, "app" | "dispatcher" | "requestTimeoutMs">;
  /** The client-side ID as it is now. */
  envId(): string | undefined;
}

/** Fetches the goals of an environment and keeps them as long as upstream allows. */
export class Goals {
  readonly #port: GoalsPort;
  #cached: CacheEntry | undefined;

  constructor(port: GoalsPort) {
    this.#port = port;
  }

  /** The goals, or `undefined` when upstream cannot be reached and nothing is kept. */
  async get(search: string, headers: Readonly<Record<string, string>>): Promise<GoalsAnswer | undefined> {
    const { clock } = this.#port;
    const entry = search === "" ? this.#cached : undefined;
    if (entry !== undefined && clock.monotonic() < entry.freshUntil)
      return { ...entry.answer, fromCache: true };
    const tag = entry?.answer.headers.etag;
    try {
      const answer = await this.#fetch(search, {
        ...headers,
        ...(typeof tag === "string" ? { "if-none-match": tag } : {}),
      });
      const revalidated = answer.status === 304 && entry !== undefined;
      const kept = revalidated ? { ...entry.answer, fromCache: true } : answer;
      if (search === "") this.#keep(kept, answer);
      return kept;
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      this.#port.logger.warn(`goals: ${message}`);
      return entry === undefined ? undefined : { ...entry.answer, fromCache: true };
    }
  }

  #keep(answer: GoalsAnswer, latest: GoalsAnswer): void {
    const control = String(latest.headers["cache-control"] ?? "");
    const maxAge = /(?:^|[\s,])max-age=(\d+)/.exec(control)?.[1];
    const storable = answer.status === 200 && !/no-store|private/.test(control);
    const keeps = storable && (maxAge !== undefined || answer.headers.etag !== undefined);
    const freshMs = /no-cache/.test(control) ? 0 : Number(maxAge ?? 0) * 1000;
    this.#cached = keeps ? { answer, freshUntil: this.#port.clock.monotonic() + freshMs } : undefined;
  }

  async #fetch(search: string, headers: Readonly<Record<string, string>>): Promise<GoalsAnswer> {
    const { upstream } = this.#port;
    const response = await request(`${upstream.app}/sdk/goals/${this.#port.envId()}${search}`, {
      headers: { ...headers },
      headersTimeout: upstream.requestTimeoutMs,
      bodyTimeout: upstream.requestTimeoutMs,
      ...(upstream.dispatcher === undefined ? {} : { dispatcher: upstream.dispatcher }),
    });
    return {
      status: response.statusCode,
      headers: headersOf(response.headers),
      body: await readLimited(response.body),
      fromCache: false,
    };
  }
}

function headersOf(headers: Dispatcher.ResponseData["headers"]): Record<string, string | string[]> {
  const kept: Record<string, string | string[]> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value !== undefined && !dropped.test(name)) kept[name] = value;
  }
  return kept;
}

async function readLimited(body: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > maxBytes) throw new RangeError("the answer is too large");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, size);
}
