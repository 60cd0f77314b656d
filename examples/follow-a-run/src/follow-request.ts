import type { IncomingMessage } from "node:http";

/** Which run a page wants to follow, and where. */
export interface FollowRequest {
  /** The address of a server; the empty text is this machine. */
  readonly host: string;
  /** Id or name; on this machine a new one is started. */
  readonly run: string;
  readonly namespace: string;
  readonly token: string;
}

const fields = ["host", "run", "namespace", "token"] as const;
const mostCharacters = 16_384;

/** Reads what a page asks for. Throws an error that says what is wrong with it. */
export async function readFollowRequest(request: IncomingMessage): Promise<FollowRequest> {
  let text = "";
  for await (const part of request.setEncoding("utf8")) {
    text += String(part);
    if (text.length > mostCharacters) throw new Error("The request is too long.");
  }
  const asked: Partial<Record<string, unknown>> = Object(parsed(text));
  const [host, run, namespace, token] = fields.map((field) => textOf(field, asked[field]));
  const complete = { host: host ?? "", run: run ?? "", namespace: namespace ?? "", token: token ?? "" };
  if (complete.host !== "" && complete.run === "") throw new Error("Which run? Enter its id or its name.");
  return complete;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error("The request is not JSON.");
  }
}

function textOf(field: string, value: unknown = ""): string {
  if (typeof value !== "string") throw new Error(`${field} must be a text.`);
  return value.trim();
}
