import { routes } from "../../src/http/routes.js";
import type { Random } from "./random.js";
import { hostileBody, hostileContext, hostileEvents } from "./shapes.js";

/** A request as bytes, and how much of it is sent. */
export interface HostileRequest {
  readonly bytes: Buffer;
  /** After so many bytes the client goes away. */
  readonly abortAt: number | undefined;
  readonly events: number;
}

const credentials = { sdkKey: "sdk-1", mobileKey: "mob-1", envId: "", none: "" } as const;

/** A request to any endpoint of the relay, seldom one that is meant well. */
export function hostileRequest(random: Random): HostileRequest {
  // Most of what anyone can send is in the bodies of events.
  const chosen = random.chance(0.5) ? routes.filter(({ endpoint }) => endpoint === "events") : routes;
  const route = chosen[random.below(chosen.length)] ?? routes[0]!;
  const { text, events } =
    route.method === "REPORT" ? { text: hostileContext(random), events: 0 } : hostileEvents(random);
  const hasBody = route.method === "POST" || route.method === "REPORT" || random.chance(0.05);
  const body = hostileBody(random, hasBody ? text : "", events);
  const head = [
    `${random.chance(0.95) ? route.method : "OPTIONS"} ${targetOf(route.path, random)} HTTP/1.1`,
    "host: x",
    ...headersOf(random, credentials[route.credential]),
    ...Object.entries(body.headers).map(([name, value]) => `${name}: ${value}`),
  ];
  const framed = frame(random, body.bytes);
  const bytes = Buffer.concat([
    Buffer.from(`${[...head, ...framed.headers].join("\r\n")}\r\n\r\n`, "latin1"),
    framed.bytes,
  ]);
  return {
    bytes,
    abortAt: framed.lies || random.chance(0.03) ? random.below(bytes.length + 1) : undefined,
    events: route.endpoint === "events" ? body.events : 0,
  };
}

/** Lengths that are true, that are not, and none. */
function frame(random: Random, body: Buffer): { headers: string[]; bytes: Buffer; lies?: boolean } {
  const kind = random.below(20);
  if (kind === 0) return { headers: [`content-length: ${body.length + 10}`], bytes: body, lies: true };
  if (kind === 1) return { headers: ["content-length: 99999999999"], bytes: body };
  if (kind === 2) return { headers: ["content-length: -1"], bytes: body };
  if (kind < 6) {
    const half = body.length >> 1;
    const chunks = [body.subarray(0, half), body.subarray(half)].filter(({ length }) => length > 0);
    const framed = chunks.flatMap((chunk) => [
      Buffer.from(`${chunk.length.toString(16)}\r\n`),
      chunk,
      Buffer.from("\r\n"),
    ]);
    return {
      headers: ["transfer-encoding: chunked"],
      bytes: Buffer.concat([...framed, Buffer.from("0\r\n\r\n")]),
    };
  }
  return { headers: [`content-length: ${body.length}`], bytes: body };
}

function headersOf(random: Random, credential: string): string[] {
  const tag = () => random.one(["t", "é", "a".repeat(2000), `t${random.below(10_000)}`]);
  const all = [
    `authorization: ${random.chance(0.9) ? credential : random.one(["", "x y", "sdk-1\t", "api_key ", "a".repeat(5000)])}`,
    `content-type: ${random.one(["application/json", "application/json;charset=x", "text/plain"])}`,
    `x-launchdarkly-event-schema: ${random.one(["3", "4", "4", "1", "2", "-1", "1e3", "x", "9007199254740993"])}`,
  ];
  if (random.chance(0.3)) all.push(`x-launchdarkly-tags: ${tag()}`);
  if (random.chance(0.2)) all.push(`x-launchdarkly-unsummarized: ${random.below(2)}`);
  if (random.chance(0.2)) all.push(`origin: ${random.one(["null", "https://a.example", "x".repeat(3000)])}`);
  if (random.chance(0.2)) all.push(`if-none-match: ${random.one(["*", "relay-1", '"x"', "y".repeat(3000)])}`);
  return all;
}

function targetOf(path: string, random: Random): string {
  const encoded = () => Buffer.from(hostileContext(random).slice(0, 6000)).toString("base64url");
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    if (name === "envId") return random.chance(0.9) ? "env-1" : random.one(["__proto__", "%00", "x"]);
    if (name === "context")
      return random.chance(0.9) ? encoded() : random.one(["%%%", "e30", "_".repeat(5000)]);
    return random.one(["a", "large", "__proto__", "%2F", "%F0%9F", "z".repeat(5000)]);
  });
  const query = [
    random.chance(0.1) ? `filter=${random.one(["", "x", "__proto__"])}` : "",
    random.chance(0.1) ? "withReasons=true" : "",
    random.chance(0.1) ? `h=${"0".repeat(random.below(100))}` : "",
    path.endsWith(".gif")
      ? `d=${Buffer.from(hostileEvents(random).text.slice(0, 6000)).toString("base64url")}`
      : "",
    random.chance(0.02) ? "&=&%".repeat(1000) : "",
  ];
  return `${filled}?${query.filter((part) => part !== "").join("&")}`;
}
