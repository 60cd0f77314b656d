import { connect, type Socket } from "node:net";
import { keys } from "./start-relay.js";

/** A client that reads nothing after the head of the answer, until it is told to. */
export async function openSlow(url: string, path: string): Promise<Socket> {
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  socket.on("error", () => {});
  socket.write(`GET ${path} HTTP/1.1\r\nhost: x\r\nauthorization: ${keys.sdkKey}\r\n\r\n`);
  await new Promise((resolve) => socket.once("data", resolve));
  socket.pause();
  return socket;
}
