import http from "node:http";
import net from "node:net";
import { type Listening, listening } from "../server/listening.js";

export const jsonApi = "application/vnd.api+json";

export interface Scripted extends Listening {
  /** The requests so far, in order. */
  readonly requests: readonly http.IncomingMessage[];
}

type Handler = (request: http.IncomingMessage, response: http.ServerResponse, index: number) => void;

/** A server that does what a test says, however wrong. */
export async function scriptedServer(handler: Handler): Promise<Scripted> {
  const requests: http.IncomingMessage[] = [];
  const server = http.createServer((request, response) => {
    requests.push(request);
    handler(request, response, requests.length - 1);
  });
  return { ...(await listening(server)), requests };
}

export interface Raw extends Listening {
  /** Cuts all connections. */
  cut(): void;
}

/** A server below HTTP: each connection gets these bytes, whatever was asked, and is then closed, cut or held. */
export async function rawServer(bytes: string | Buffer, end: "close" | "cut" | "hold"): Promise<Raw> {
  const sockets = new Set<net.Socket>();
  const server = net.createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.once("data", () => {
      socket.write(bytes, () => {
        if (end === "close") socket.end();
        if (end === "cut") socket.resetAndDestroy();
      });
    });
  });
  const { close, ...address } = await listening(server);
  const cut = (): void => {
    for (const socket of sockets) socket.resetAndDestroy();
  };
  return {
    ...address,
    cut,
    close: () => {
      cut();
      return close();
    },
  };
}

/** Answers with a document, unless the test says otherwise. */
export function answer(
  response: http.ServerResponse,
  body: unknown,
  { status = 200, headers = {} }: { status?: number; headers?: http.OutgoingHttpHeaders } = {},
): void {
  response.writeHead(status, { "content-type": jsonApi, ...headers });
  response.end(typeof body === "string" || Buffer.isBuffer(body) ? body : JSON.stringify(body));
}

/** `count` cars from number `from` on. */
export function cars(from: number, count: number): { type: string; id: string; attributes: object }[] {
  return Array.from({ length: count }, (_, index) => ({
    type: "car",
    id: `car-${from + index}`,
    attributes: { model: `Model ${from + index}` },
  }));
}

/** A document of vehicles. */
export function documentOf(data: readonly unknown[], overall_count: unknown = data.length): object {
  return { data, included: [], meta: { overall_count } };
}
