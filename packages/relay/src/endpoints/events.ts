import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import type { EventArray } from "../events/event-array.js";
import { answerTogether } from "../http/answer-together.js";
import { closing, sendBody, sendEmpty, sendMessage } from "../http/answers.js";
import { isPlain } from "../http/downloads.js";
import type { EventsDoor, Exchange } from "../http/exchange.js";
import { type BodyResult, withBody } from "../http/read-body.js";
import { bodyWasRead, refuseClosed, refuseCrowded, refuseIfGone } from "../http/refusals.js";
import { createLanes } from "../lanes.js";
import { familyOf, type SdkFamily } from "../sdk-family.js";

const decompress = promisify(gunzip);
/** A small compressed body may be large when it is unpacked: only so many are there at once, until they have been looked at. */
const unpacking = createLanes(4);

const transparentPixel = Buffer.from("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7", "base64");

/** Analytics events by POST: taken, and passed on later. */
export function receiveEvents(exchange: Exchange): Promise<void> {
  const { environment, req } = exchange;
  return receive(exchange, (events, body) => {
    const taking = (found: EventArray) => (family: SdkFamily) =>
      environment.events?.accept(family, body, found, req.headers);
    const found = events.look(body);
    return found instanceof Promise ? found.then(taking) : taking(found);
  });
}

/** Diagnostic events by POST: passed on at once. */
export function receiveDiagnostic(exchange: Exchange): Promise<void> {
  return receive(exchange, (events, body) => (family) => {
    events.forwardDiagnostic(family, body, exchange.req.headers);
    return "taken";
  });
}

/** Analytics events in the address of an image, for pages that cannot use CORS. */
export async function receiveEventImage({ res, query, environment, headers }: Exchange): Promise<void> {
  if (environment.events === undefined) {
    sendMessage(res, 503, disabled, headers);
    return;
  }
  // Both alphabets are decoded; a plus sign that was not escaped has become a blank.
  const body = Buffer.from((query.get("d") ?? "").replaceAll(" ", "+"), "base64");
  if (body.length > 0) {
    const found = await environment.events.look(body);
    environment.events.accept("browser", body, found, { "x-launchdarkly-event-schema": "3" });
  }
  sendBody(res, 200, "image/gif", transparentPixel, headers);
}

const disabled = "Event proxy is not enabled for this environment";

/** Takes what was looked at, unless it nests too deep. */
type Take = (family: SdkFamily) => "taken" | "too-deep" | undefined;
/** Looks at a body, at once if it is small; nothing of it is taken before that is done. */
type Look = (events: EventsDoor, body: Buffer) => Take | Promise<Take>;

async function receive(exchange: Exchange, look: Look): Promise<void> {
  const { req, res, environment, headers, uploads } = exchange;
  const { events } = environment;
  if (events === undefined) {
    sendMessage(res, 503, disabled, headers);
    return;
  }
  const { maxBodyBytes: maxBytes } = events;
  const through = (body: BodyResult) => {
    const take = body.kind === "body" ? look(events, body.bytes) : undefined;
    return take instanceof Promise
      ? take.then((ready) => answerPost(exchange, body, ready))
      : answerPost(exchange, body, take);
  };
  await withBody(req, { maxBytes, uploads }, (body) =>
    isPacked(body, exchange)
      ? unpacking(async () => through(await decode(body.bytes, maxBytes)))
      : through(body),
  );
  req.resume();
}

function answerPost(exchange: Exchange, body: BodyResult, take: Take | undefined): void | Promise<void> {
  const { res, credential, headers } = exchange;
  if (body.kind === "aborted") return undefined;
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
  } else if (take?.(familyOf[credential]) === "too-deep") {
    sendMessage(res, 400, "the events are nested too deep", headers);
  } else if (isPlain(res)) {
    return answerTogether(() => ({ bytes: 0, send: () => sendEmpty(res, 202, headers) }));
  } else {
    sendEmpty(res, 202, headers);
  }
}

function isPacked(body: BodyResult, { req }: Exchange): body is Extract<BodyResult, { kind: "body" }> {
  return body.kind === "body" && !body.decoded && req.headers["content-encoding"]?.includes("gzip") === true;
}

/** Undoes the encoding of a body; the bound also holds for what comes out of it. */
async function decode(packed: Buffer, maxBytes: number): Promise<BodyResult> {
  try {
    return { kind: "body", bytes: await decompress(packed, { maxOutputLength: maxBytes }), decoded: true };
  } catch (error) {
    const tooLarge = error instanceof Error && "code" in error && error.code === "ERR_BUFFER_TOO_LARGE";
    return { kind: tooLarge ? "too-large" : "malformed" };
  }
}
