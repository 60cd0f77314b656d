import type { Headers } from "./exchange.js";
import type { Method } from "./routes.js";

const sdkHeaders = [
  "Cache-Control",
  "Content-Type",
  "Content-Length",
  "Accept-Encoding",
  "X-LaunchDarkly-User-Agent",
  "X-LaunchDarkly-Payload-ID",
  "X-LaunchDarkly-Wrapper",
  "X-LaunchDarkly-Event-Schema",
  "X-LaunchDarkly-Tags",
  "X-LaunchDarkly-Instance-Id",
  "X-LaunchDarkly-Unsummarized",
];

/** Which pages may call an environment, and with which headers. */
export interface CorsRules {
  readonly allowedOrigins: readonly string[];
  readonly allowedHeaders: readonly string[];
}

/** The rules of what is not an environment: any page may read that there is none. */
export const anyOrigin: CorsRules = { allowedOrigins: [], allowedHeaders: [] };

const allowHeaders = new WeakMap<CorsRules, string>();

function allowedHeadersOf(rules: CorsRules): string {
  let text = allowHeaders.get(rules);
  if (text === undefined) {
    text = [...sdkHeaders, ...rules.allowedHeaders].join(",");
    allowHeaders.set(rules, text);
  }
  return text;
}

/**
 * The headers that let a browser read an answer, or keep it from doing so: a page of an origin that is not allowed is
 * told the first allowed one.
 */
export function corsHeaders(
  rules: CorsRules,
  methods: readonly Method[],
  origin: string | undefined,
): Headers {
  const { allowedOrigins } = rules;
  const [first] = allowedOrigins;
  const allowed =
    first === undefined ? (origin ?? "*") : (allowedOrigins.find((one) => one === origin) ?? first);
  return {
    "Access-Control-Allow-Methods": methods.join(","),
    "Access-Control-Allow-Origin": allowed,
    "Access-Control-Allow-Credentials": "false",
    "Access-Control-Max-Age": "300",
    "Access-Control-Allow-Headers": allowedHeadersOf(rules),
    "Access-Control-Expose-Headers": "Date",
    Vary: "Origin",
  };
}
