import { type Refusal, refuse } from "./refusal.js";
import { errorResponse } from "./replies.js";

/** What is used of the socket that a malformed request came over. */
export interface MalformedSocket {
  readonly writable: boolean;
  end(text: string): unknown;
  destroy(): unknown;
}

/**
 * Answers what is no HTTP with an error document as well. Node asks no handler about such requests, so this is for
 * `server.on("clientError", answerMalformedRequest)`.
 */
export function answerMalformedRequest(
  error: Error & { readonly code?: string },
  socket: MalformedSocket,
): void {
  if (typeof socket?.end !== "function" || typeof socket.destroy !== "function") {
    throw new TypeError("answerMalformedRequest needs the error and the socket of the event clientError.");
  }
  const { code } = error ?? {};
  // Node hangs the response that is under way on the socket. Whatever is written now would be taken for a part of it.
  const underWay =
    "_httpMessage" in socket && socket._httpMessage !== null && socket._httpMessage !== undefined;
  if (code === "ECONNRESET" || !socket.writable || underWay) {
    socket.destroy();
    return;
  }
  const { status, headers, body } = errorResponse(refusalFor(code));
  const lines = Object.entries({ ...headers, Connection: "close" }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  const reason = reasons[status] ?? "Bad Request";
  socket.end(
    `HTTP/1.1 ${status} ${reason}\r\n${lines.join("\r\n")}\r\n\r\n${new TextDecoder().decode(body)}`,
  );
}

const reasons: Readonly<Record<number, string>> = {
  408: "Request Timeout",
  431: "Request Header Fields Too Large",
};

function refusalFor(code: string | undefined): Refusal {
  if (code === "HPE_HEADER_OVERFLOW") return refuse("HEADERS_TOO_LARGE");
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return refuse("REQUEST_TIMEOUT");
  return refuse("BAD_REQUEST", { title: "malformed request" });
}
