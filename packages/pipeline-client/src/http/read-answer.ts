import { isObject } from "@wye/pipeline-spec";
import { parseJson } from "../wire/parse-json.js";
import type { FieldReader, JsonObject } from "../wire/read-message.js";
import type { ApiRequest } from "./api-request.js";
import type { Redactor } from "./redactor.js";
import type { Answer, Call, Session } from "./session.js";

/** The body of an answer as an object; an error where it is none. */
export function readAnswer(session: Session, request: ApiRequest, { bytes, redactor }: Answer): JsonObject {
  let body: unknown;
  try {
    body = parseJson(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    // What JSON.parse says repeats a part of the text, which may be a part of a secret.
    throw session.unusable(request, `the answer is no JSON: ${excerptOf(bytes, redactor)}`, redactor);
  }
  if (isObject(body)) return body;
  throw session.unusable(request, `the answer is no JSON object: ${excerptOf(bytes, redactor)}`, redactor);
}

/** Sends a request whose answer is one message. */
export async function askFor<T>(
  session: Session,
  request: ApiRequest,
  call: Call,
  read: FieldReader<T>,
): Promise<T> {
  const body = readAnswer(session, request, await session.send(request, call));
  const message = read(body);
  if (message === undefined)
    throw session.unusable(request, "the answer is not what was asked for: it has no id");
  return message;
}

/** Sends a request whose answer says nothing but that it was carried out. A page that stands in its place does not say so. */
export async function tell(session: Session, request: ApiRequest, call: Call): Promise<void> {
  const answer = await session.send(request, call);
  if (answer.bytes.length > 0) readAnswer(session, request, answer);
}

/** How an answer begins, for messages. */
export function excerptOf(bytes: Uint8Array, redactor: Redactor): string {
  if (bytes.length === 0) return "it is empty";
  // Longer than any secret that begins in the part that is shown.
  const text = redactor.text(new TextDecoder().decode(bytes.subarray(0, 65_536)));
  return JSON.stringify(text.slice(0, 120).replaceAll(/[\p{Cc}\p{Cf}]+/gu, " "));
}
