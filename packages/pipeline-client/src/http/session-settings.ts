import { checkOptions, describeValue, type KnownOptions } from "@wye/pipeline-spec";
import type { PipelineClientRetry, RequestSettings } from "../client-options.js";
import { systemClock } from "../clock.js";
import { checkedHeaders } from "./checked-headers.js";
import type { Credentials } from "./credentials.js";
import type { SessionSettings } from "./session.js";

/** The options that clients have in common. */
export const requestOptions: KnownOptions<RequestSettings> = {
  auth: "any",
  headers: "any",
  fetch: "any",
  cookies: ["omit", "same-origin", "include"],
  retry: "any",
  timeoutMs: "limit",
  deadlineMs: "limit",
  maxBodyBytes: "limit",
  maxPages: "limit",
  onRetry: "any",
  clock: "any",
};

/** Completes the options; a `TypeError` for what cannot be meant. No message repeats a credential. */
export function sessionSettings(host: string, options: RequestSettings): SessionSettings {
  const { auth = {}, headers = {}, fetch, retry, onRetry, clock = systemClock } = options;
  checkCredentials(auth);
  if (fetch !== undefined && typeof fetch !== "function") throw new TypeError("`fetch` is a function");
  if (
    typeof clock?.now !== "function" ||
    typeof clock.after !== "function" ||
    typeof clock.random !== "function"
  )
    throw new TypeError("`clock` has `now`, `after` and `random`");
  if (onRetry !== undefined && typeof onRetry !== "function") throw new TypeError("`onRetry` is a function");
  return {
    host,
    auth,
    headers: checkedHeaders("headers", headers),
    // Looked up at each call, so that a `fetch` that is replaced later counts.
    fetch: fetch ?? ((url, init) => globalThis.fetch(url, init)),
    cookies: options.cookies ?? "same-origin",
    retry: retrySettings(retry),
    timeoutMs: options.timeoutMs ?? 30_000,
    deadlineMs: options.deadlineMs ?? 120_000,
    maxBodyBytes: options.maxBodyBytes ?? 67_108_864,
    maxPages: options.maxPages ?? 10_000,
    onRetry: onRetry ?? (() => {}),
    clock,
  };
}

function retrySettings(retry: PipelineClientRetry | false | undefined): SessionSettings["retry"] {
  const given = retry === false ? { limit: 0 } : (retry ?? {});
  checkOptions("retry", given, { limit: "limit", baseDelayMs: "limit", maxDelayMs: "limit" });
  return {
    limit: given.limit ?? 4,
    baseDelayMs: given.baseDelayMs ?? 500,
    maxDelayMs: given.maxDelayMs ?? 30_000,
  };
}

function checkCredentials(auth: Credentials): void {
  checkOptions("auth", auth, { token: "any", cookie: "any", headers: "any" });
  for (const name of ["token", "cookie"] as const) {
    const value: unknown = auth[name];
    if (value !== undefined && typeof value !== "string" && typeof value !== "function") {
      throw new TypeError(`\`auth.${name}\` is a text or a function that gives one`);
    }
  }
  const { headers } = auth;
  if (headers !== undefined && typeof headers !== "function") checkedHeaders("auth.headers", headers);
}

/** An address without user, query and slash at the end. */
export function hostAddress(place: string, host: unknown): string {
  // An environment variable that is not set would else be a host of that name, which gets the credentials.
  if (typeof host !== "string" && !(host instanceof URL))
    throw new TypeError(`\`${place}\` is the address of a host, not ${describeValue(host)}`);
  const text = `${host}`.trim();
  const url = text.includes("://") ? text : `https://${text}`;
  const { href } = URL.canParse(url) ? new URL(url) : { href: "" };
  if (!/^https?:\/\/[^/@]+\/[^?#]*$/.test(href)) {
    throw new TypeError(
      `\`${place}\` is the address of a host, such as http://localhost:8888, without user or query`,
    );
  }
  return href.replace(/\/+$/, "");
}
