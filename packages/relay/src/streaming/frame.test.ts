import { expect, test } from "vitest";
import { eventFrame, type Frame, frameFrom, heartbeatFrame, pingFrame } from "./frame.js";

const printed = ({ event, chunk }: Frame) => [event.toString(), chunk.toString()];

test("the chunk tells the bytes of the event in hexadecimal digits, and nothing of it belongs to the event", () => {
  const text = "event: put\ndata: é😀\n\n";
  expect(printed(eventFrame("put", "é😀"))).toEqual([text, `19\r\n${text}\r\n`]);
  const long = "x".repeat(4096);
  expect(printed(frameFrom(long))).toEqual([long, `1000\r\n${long}\r\n`]);
});

test("a heartbeat is a comment, and a ping has a blank for data", () => {
  expect(printed(heartbeatFrame)).toEqual([":\n", "2\r\n:\n\r\n"]);
  expect(pingFrame.event.toString()).toBe("event: ping\ndata:  \n\n");
});
