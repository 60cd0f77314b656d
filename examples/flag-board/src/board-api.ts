import type { IncomingMessage, ServerResponse } from "node:http";
import type { Flag, FlagProblem } from "./flag.js";
import type { LiveFlags } from "./live-flags.js";
import type { Traffic } from "./traffic.js";

/** What `GET …/api/board` answers. */
export interface Board {
  readonly revision: number;
  readonly flags: readonly Flag[];
  readonly traffic: Traffic;
}

/** What an edit is answered with when nothing came of it. */
export interface Refusal {
  readonly error: string;
  /** For 400: everything that has to be mended. */
  readonly problems?: readonly FlagProblem[];
  /** For 412: the flag as it is. */
  readonly flag?: Flag;
}

export interface BoardApiOptions {
  readonly flags: LiveFlags;
  readonly traffic: () => Traffic;
}

const maxBytes = 64 * 1024;

/** Answers one request for a path below `/api`, given without its prefix; false for paths that it does not know. */
export type BoardApi = (path: string, request: IncomingMessage, response: ServerResponse) => boolean;

/**
 * The few calls with which the page reads and edits flags. An edit must be JSON and must come from a page of this server:
 * no form and no script of another site can flip a flag.
 */
export function createBoardApi({ flags, traffic }: BoardApiOptions): BoardApi {
  const board = (): Board => ({ revision: flags.revision, flags: flags.all(), traffic: traffic() });

  async function edit(key: string, request: IncomingMessage, response: ServerResponse): Promise<void> {
    const text = await bodyOf(request, response);
    if (text === undefined) return;
    const outcome = await flags.edit(key, text, versionFrom(request.headers["if-match"]));
    if (outcome.kind === "saved") send(response, 200, outcome.flag);
    else if (outcome.kind === "unknown") refuse(response, 404, `there is no flag ${JSON.stringify(key)}`);
    else if (outcome.kind === "wrong") {
      refuse(response, 400, "the flag cannot be used as it is", { problems: outcome.problems });
    } else {
      refuse(response, 412, "the flag has changed in the meantime", { flag: outcome.flag });
    }
  }

  async function reset(request: IncomingMessage, response: ServerResponse): Promise<void> {
    if ((await bodyOf(request, response)) === undefined) return;
    await flags.reset();
    send(response, 200, board());
  }

  return (path, request, response) => {
    const key = flagKeyFrom(path);
    if (path === "/api/board") {
      if (allows(request, response, "GET")) send(response, 200, board());
    } else if (path === "/api/reset") {
      if (allows(request, response, "POST")) run(response, reset(request, response));
    } else if (key !== undefined) {
      if (allows(request, response, "PUT")) run(response, edit(key, request, response));
    } else {
      return false;
    }
    return true;
  };
}

function flagKeyFrom(path: string): string | undefined {
  const segment = /^\/api\/flags\/([^/]+)$/.exec(path)?.[1];
  try {
    return segment === undefined ? undefined : decodeURIComponent(segment);
  } catch {
    // A broken escape names no flag.
    return undefined;
  }
}

function allows(request: IncomingMessage, response: ServerResponse, method: string): boolean {
  if (request.method === method) return true;
  response.setHeader("allow", method);
  refuse(response, 405, `only ${method} is answered here`);
  return false;
}

function run(response: ServerResponse, work: Promise<void>): void {
  work.catch((error: unknown) => {
    // The client went away, or nothing can be sent any more.
    if (response.headersSent || response.destroyed) response.destroy();
    else refuse(response, 500, error instanceof Error ? error.message : String(error));
  });
}

/** The body of an edit; otherwise the request was refused. */
async function bodyOf(request: IncomingMessage, response: ServerResponse): Promise<string | undefined> {
  if (!isSameOrigin(request)) {
    refuse(response, 403, "flags are edited from the pages of this server only");
  } else if (!/^application\/json\s*(?:;|$)/i.test(request.headers["content-type"] ?? "")) {
    refuse(response, 415, "the body must be application/json");
  } else {
    const bytes = await readBody(request);
    if (bytes === undefined) refuse(response, 413, `a flag may have ${maxBytes} bytes`);
    else return bytes.toString("utf8");
  }
  return undefined;
}

/** Browsers say where a request comes from; programs say nothing, and are no page of another site. */
function isSameOrigin({ headers }: IncomingMessage): boolean {
  const site = headers["sec-fetch-site"];
  if (site !== undefined && site !== "same-origin" && site !== "none") return false;
  if (headers.origin === undefined) return true;
  return URL.canParse(headers.origin) && new URL(headers.origin).host === headers.host;
}

/** The body, or undefined when it is too large; the rest of it is then thrown away. */
function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size <= maxBytes) chunks.push(chunk);
      else resolve(undefined);
    });
    request.once("end", () => resolve(Buffer.concat(chunks)));
    request.once("error", reject);
  });
}

/** The version in `If-Match: "3"`. */
function versionFrom(header: string | undefined): number | undefined {
  const digits = /^"(\d{1,15})"$/.exec(header ?? "")?.[1];
  return digits === undefined ? undefined : Number(digits);
}

function refuse(
  response: ServerResponse,
  status: number,
  error: string,
  more: Omit<Refusal, "error"> = {},
): void {
  // Nobody waits for the rest of the body.
  if (!response.req.complete) response.setHeader("connection", "close");
  send(response, status, { error, ...more });
}

function send(response: ServerResponse, status: number, value: Board | Flag | Refusal): void {
  const body = Buffer.from(`${JSON.stringify(value)}\n`);
  response.writeHead(status, {
    "content-type": "application/json; charset=utf-8",
    "content-length": body.byteLength,
    "cache-control": "no-store",
    "x-content-type-options": "nosniff",
  });
  response.end(body);
}
