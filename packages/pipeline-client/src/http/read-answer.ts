import { isObject } from "@wye/pipeline-spec";
import type { FieldReader, JsonObject } from "../wire/read-message.js";
import type { ApiRequest } from "./api-request.js";
import type { Answer, Call, Session } from "./session.js";

/** The body of an answer as an object; an error where it is none. */
export function readAnswer(session: Session, request: ApiRequest, { bytes, redactor }: Answer): JsonObject {
  let body: unknown;
  try {
    body = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch (cause) {
    throw session.unusable(request, `the answer is no JSON: ${excerptOf(bytes)}`, redactor, cause);
  }
  if (isObject(body)) return body;
  throw session.unusable(request, `the answer is no JSON object: ${excerptOf(bytes)}`, redactor);
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

function excerptOf(bytes: Uint8Array): string {
  if (bytes.length === 0) return "it is empty";
  const text = new TextDecoder().decode(bytes.subarray(0, 120));
  return JSON.stringify(text.replaceAll(/[\p{Cc}\p{Cf}]+/gu, " "));
}
