import type { Headers } from "./answers.js";
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

/** Rules as they are used. */
interface CompiledRules {
  /** Which origin an answer to a page of this one names. `undefined`: none. */
  readonly answerTo: (origin: string | undefined) => string | undefined;
  readonly allowedHeaders: string;
}

const compiled = new WeakMap<CorsRules, CompiledRules>();

function compiledFrom(rules: CorsRules): CompiledRules {
  let known = compiled.get(rules);
  if (known === undefined) {
    known = compile(rules);
    compiled.set(rules, known);
  }
  return known;
}

function compile(rules: CorsRules): CompiledRules {
  const allowedHeaders = [...sdkHeaders, ...rules.allowedHeaders].join(",");
  if (rules.allowedOrigins.length === 0) return { answerTo: (origin) => origin ?? "*", allowedHeaders };
  const exact = new Set(rules.allowedOrigins.filter((one) => !isOriginPattern(one)));
  const patterns = rules.allowedOrigins.filter(isOriginPattern).map(originPattern);
  const [first] = exact;
  const isAllowed = (origin: string) => exact.has(origin) || patterns.some((matches) => matches(origin));
  return {
    answerTo: (origin) => (origin !== undefined && isAllowed(origin) ? origin : first),
    allowedHeaders,
  };
}

/** Whether an allowed origin stands for everything below a domain. */
function isOriginPattern(allowed: string): boolean {
  return allowed !== "*" && allowed.includes("*");
}

function originPattern(pattern: string): (origin: string) => boolean {
  const [scheme = "", domain = ""] = pattern.split("*");
  return (origin) => {
    if (!origin.startsWith(scheme) || !origin.endsWith(domain)) return false;
    const below = origin.slice(scheme.length, -domain.length);
    return /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/.test(below);
  };
}

/** Whether a page of an origin may read answers; who sends no origin is no page of another one. */
export function allowsOrigin(rules: CorsRules, origin: string | undefined): boolean {
  if (origin === undefined) return true;
  const answer = compiledFrom(rules).answerTo(origin);
  return answer === origin || answer === "*";
}

/**
 * The headers that let a browser read an answer, or keep it from doing so: a page of an origin that is not allowed is
 * told the first allowed one, or none where only patterns are allowed.
 */
export function corsHeaders(
  rules: CorsRules,
  methods: readonly Method[],
  origin: string | undefined,
): Headers {
  const known = compiledFrom(rules);
  const allowed = known.answerTo(origin);
  // Written out for each case: an object that another one is spread into takes Node ten times as long to go through.
  return allowed === undefined
    ? {
        "Access-Control-Allow-Methods": methods.join(","),
        "Access-Control-Allow-Credentials": "false",
        "Access-Control-Max-Age": "300",
        "Access-Control-Allow-Headers": known.allowedHeaders,
        "Access-Control-Expose-Headers": "Date",
        Vary: "Origin",
      }
    : {
        "Access-Control-Allow-Methods": methods.join(","),
        "Access-Control-Allow-Origin": allowed,
        "Access-Control-Allow-Credentials": "false",
        "Access-Control-Max-Age": "300",
        "Access-Control-Allow-Headers": known.allowedHeaders,
        "Access-Control-Expose-Headers": "Date",
        Vary: "Origin",
      };
}
