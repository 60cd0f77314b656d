import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { createLanes } from "../events/lanes.js";
import { closing, sendBody, sendEmpty, sendMessage } from "../http/answers.js";
import type { Exchange } from "../http/exchange.js";
import { type BodyResult, withBody } from "../http/read-body.js";
import { bodyWasRead, refuseClosed, refuseCrowded, refuseIfGone } from "../http/refusals.js";
import { familyOf, type SdkFamily } from "../sdk-family.js";

const decompress = promisify(gunzip);
/** A small compressed body may be large when it is unpacked: only so many are unpacked at once. */
const unpacking = createLanes(4);

const transparentPixel = Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64");

/** Analytics events by POST: taken, and passed on later. */
export function receiveEvents(exchange: Exchange): Promise<void> {
  return receive(exchange, (family, body) =>
    exchange.environment.events?.accept(family, body, exchange.req.headers),
  );
}

/** Diagnostic events by POST: passed on at once. */
export function receiveDiagnostic(exchange: Exchange): Promise<void> {
  return receive(exchange, (family, body) => {
    exchange.environment.events?.forwardDiagnostic(family, body, exchange.req.headers);
    return "taken";
  });
}

/** Analytics events in the address of an image, for pages that cannot use CORS. */
export function receiveEventImage({ res, query, environment, headers }: Exchange): void {
  if (environment.events === undefined) {
    sendMessage(res, 503, disabled, headers);
    return;
  }
  // Both alphabets are decoded; a plus sign that was not escaped has become a blank.
  const body = Buffer.from((query.get("d") ?? "").replaceAll(" ", "+"), "base64");
  if (body.length > 0) environment.events.accept("browser", body, { "x-launchdarkly-event-schema": "3" });
  sendBody(res, 200, "image/gif", transparentPixel, headers);
}

const disabled = "Event proxy is not enabled for this environment";

/** Takes a body, unless it nests too deep. */
type Take = (family: SdkFamily, body: Buffer) => "taken" | "too-deep" | undefined;

async function receive(exchange: Exchange, take: Take): Promise<void> {
  const { req, res, environment, headers, uploads } = exchange;
  if (environment.events === undefined) {
    sendMessage(res, 503, disabled, headers);
    return;
  }
  const { maxBodyBytes: maxBytes } = environment.events;
  await withBody(req, { maxBytes, uploads }, async (body) =>
    answerPost(exchange, await decode(body, exchange, maxBytes), take),
  );
  req.resume();
}

function answerPost(exchange: Exchange, body: BodyResult, take: Take): void {
  const { res, credential, headers } = exchange;
  if (body.kind === "aborted") return;
  if (body.kind === "too-large") {
    sendMessage(res, 413, "the body is too large", closing(res, headers));
  } else if (body.kind === "crowded-out") {
    refuseCrowded(exchange);
  } else if (body.kind === "closed") {
    refuseClosed(res, headers);
  } else if (body.kind === "consumed") {
    bodyWasRead(exchange);
  } else if (body.kind === "malformed") {
    sendMessage(res, 400, "unable to read request body", headers);
  } else if (body.bytes.length === 0) {
    sendMessage(res, 400, "body may not be empty", headers);
  } else if (refuseIfGone(exchange)) {
    // Nobody would send the events, or nobody should.
  } else if (take(familyOf[credential], body.bytes) === "too-deep") {
    sendMessage(res, 400, "the events are nested too deep", headers);
  } else {
    sendEmpty(res, 202, headers);
  }
}

/** Events of SDKs take a tenth or twentieth when they are packed. What takes far less is made to keep the relay busy. */
const maxRatio = 100;
const smallBytes = 1024 * 1024;

/** Undoes the encoding of a body; the bound also holds for what comes out of it. */
async function decode(body: BodyResult, { req }: Exchange, maxBytes: number): Promise<BodyResult> {
  if (body.kind !== "body" || body.decoded || !req.headers["content-encoding"]?.includes("gzip")) return body;
  try {
    const maxOutputLength = Math.min(maxBytes, Math.max(smallBytes, maxRatio * body.bytes.length));
    const bytes = await unpacking(() => decompress(body.bytes, { maxOutputLength }));
    return { kind: "body", bytes, decoded: true };
  } catch (error) {
    const tooLarge = error instanceof Error && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE";
    return { kind: tooLarge ? "too-large" : "malformed" };
  }
}
