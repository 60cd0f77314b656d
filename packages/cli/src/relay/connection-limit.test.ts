import { EventEmitter } from "node:events";
import type { Server } from "node:net";
import { expect, onTestFinished, test, vi } from "vitest";
import { limitConnections, mostConnections } from "./connection-limit.js";

test.each([
  [0, 1],
  [2, 1],
  [4, 2],
  [36, 20],
  [100, 56],
  [288, 163],
  [1024, 825],
  [1030, 831],
  [1_048_576, 943_622],
  [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY],
])("a process that may open %d files has up to %d connections of SDKs", (files, most) => {
  expect(mostConnections(files)).toBe(most);
});

test.each([
  [{}, Number.POSITIVE_INFINITY],
  [{ userLimits: { open_files: { soft: "unlimited" } } }, Number.POSITIVE_INFINITY],
  [{ userLimits: { open_files: { soft: 100 } } }, 56],
])("where the system says %j there may be %d connections", (said, most) => {
  const report = vi.spyOn(process.report, "getReport").mockReturnValue(said);
  onTestFinished(() => report.mockRestore());
  expect(mostConnections()).toBe(most);
});

/** A server whose connections come and go as the test says, with how often its limit was told. */
function limited(most: number) {
  const server = new EventEmitter();
  let told = 0;
  limitConnections(server as Server, most, () => {
    told++;
  });
  const open: EventEmitter[] = [];
  /** Another connection; whether it may stay. */
  const connect = () => {
    let stays = true;
    const socket = Object.assign(new EventEmitter(), {
      destroy() {
        stays = false;
        socket.emit("close");
      },
    });
    server.emit("connection", socket);
    if (stays) open.push(socket);
    return stays;
  };
  return {
    told: () => told,
    connect: (times: number) => Array.from({ length: times }, connect).filter((stays) => stays).length,
    close: (times: number) => {
      for (const socket of open.splice(0, times)) socket.emit("close");
    },
  };
}

test("connections above the limit are closed, and others take the place of those that end", () => {
  const { connect, close } = limited(4);
  expect(connect(4)).toBe(4);
  expect(connect(3)).toBe(0);
  close(2);
  expect(connect(3)).toBe(2);
  close(4);
  expect(connect(9)).toBe(4);
});

test("a limit that is reached is told once, and again when half of the connections had ended meanwhile", () => {
  const { connect, close, told } = limited(4);
  connect(4);
  expect(told()).toBe(0);
  connect(2);
  expect(told()).toBe(1);
  close(2);
  connect(4);
  expect(told()).toBe(1);
  close(3);
  connect(4);
  expect(told()).toBe(2);
});
