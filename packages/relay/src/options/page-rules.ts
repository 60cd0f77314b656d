// What may stand in `allowedOrigins` and `allowedHeaders`: what browsers send, to the letter, is compared with it.

/** An origin with `*.` before its host, which stands for everything below a domain and not for the domain itself. */
const pattern = /^(https?:\/\/)\*\.(.+)$/s;
/** Origins of applications, such as `capacitor://localhost`. */
const otherOrigin = /^[a-z][a-z0-9+.-]*:\/\/[a-z0-9._~-]+(?::\d+)?$/;

/** Why an allowed origin is none; `undefined` when it is one. */
export function originProblem(allowed: string): string | undefined {
  if (allowed === "*" || allowed === "null") return undefined;
  const [, scheme = "", domain = ""] = pattern.exec(allowed) ?? [];
  const origin = scheme === "" ? allowed : `${scheme}below.${domain}`;
  if (origin.includes("*")) return 'a wildcard stands as in "https://*.example.org"';
  if (!/^https?:/i.test(origin)) {
    return otherOrigin.test(origin) ? undefined : 'an origin is like "https://www.example.org"';
  }
  const spelled = URL.canParse(origin) ? new URL(origin).origin : undefined;
  if (spelled === undefined) return 'an origin is like "https://www.example.org"';
  if (spelled === origin) return undefined;
  return `browsers write it as ${JSON.stringify(spelled.replace(/\/\/below\./, scheme === "" ? "$&" : "//*."))}`;
}

/** Why an allowed header is none; `undefined` when it is one. */
export function headerProblem(allowed: string): string | undefined {
  return /^[\w!#$%&'*+.^`|~-]+$/.test(allowed) ? undefined : 'the name of a header is like "X-Request-Id"';
}
