// Loaded before a server that is tried: tells its parent on which port it listens.
import { Server } from "node:net";

const { listen } = Server.prototype;
/** @this {Server} @param {Parameters<typeof listen>} parameters */
Server.prototype.listen = function (...parameters) {
  this.once("listening", () =>
    process.send?.(/** @type {import("node:net").AddressInfo} */ (this.address()).port),
  );
  return listen.apply(this, parameters);
};
// A channel to the parent does not keep a program alive.
process.channel?.unref();
