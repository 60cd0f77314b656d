import { type Clock, orAborted } from "@wye/relay";
import { request } from "undici";
import { askForToken } from "./ask-for-token.js";
import type { ConsulOptions } from "./consul-options.js";
import type { AgentLease } from "./share-agent.js";

/** What an agent has answered. */
export interface ConsulAnswer {
  readonly status: number;
  readonly text: string;
  /** Whether something was left out that the token may not read: what a list tells then is not all. */
  readonly isFiltered: boolean;
}

/** Asks an agent for a path below `/v1/`. Neither Consul nor whoever gives the token is waited for without end. */
export type AskConsul = (
  method: "GET" | "PUT",
  path: string,
  body: unknown,
  signal: AbortSignal,
) => Promise<ConsulAnswer>;

/** Where Consul is, and what connects there. */
export type ConnectedOptions = ConsulOptions & Pick<AgentLease, "dispatcher">;

/** A request has failed when nothing comes for this long: no answer, or no more of one, which may be everything there is. */
const silenceMs = 10_000;
/**
 * An agent that has failed may go on failing for as long as it is asked, while the address leads new connections to others: for so
 * long no connection is used twice.
 */
const distrustMs = 60_000;

/** The only way to an agent. */
export function createConsulHttp(
  { address = "http://localhost:8500", token, datacenter, dispatcher }: ConnectedOptions,
  clock: Clock,
): AskConsul {
  const { username, password, origin, pathname } = new URL(address);
  const base = origin + pathname.replace(/\/+$/, "");
  const login = [username, password].map(decodeURIComponent).join(":");
  const authorization =
    login === ":" ? {} : { authorization: `Basic ${Buffer.from(login).toString("base64")}` };
  let distrustedUntil = Number.NEGATIVE_INFINITY;

  async function send(
    ...[method, path, body, signal, heard]: [...Parameters<AskConsul>, heard: () => void]
  ): Promise<ConsulAnswer> {
    const url = new URL(`${base}/v1/${path}`);
    if (datacenter !== undefined) url.searchParams.set("dc", datacenter);
    const secret = await askForToken(token);
    const response = await request(url, {
      method,
      signal,
      reset: clock.monotonic() < distrustedUntil,
      headers: { ...authorization, "x-consul-token": secret },
      body: JSON.stringify(body) ?? null,
      dispatcher,
    });
    if (response.statusCode >= 500) distrustedUntil = clock.monotonic() + distrustMs;
    const pieces: Uint8Array[] = [];
    for await (const piece of response.body) {
      heard();
      pieces.push(piece);
    }
    const isFiltered = response.headers["x-consul-results-filtered-by-acls"] === "true";
    return { status: response.statusCode, text: Buffer.concat(pieces).toString(), isFiltered };
  }

  return async (method, path, body, signal) => {
    signal.throwIfAborted();
    const silence = new AbortController();
    const until = AbortSignal.any([signal, silence.signal]);
    let cancel = () => {};
    const heard = () => {
      cancel();
      cancel = clock.schedule(silenceMs, () => silence.abort(new Error(`no answer within ${silenceMs} ms`)));
    };
    heard();
    try {
      return await orAborted(send(method, path, body, until, heard), until);
    } finally {
      cancel();
    }
  };
}
