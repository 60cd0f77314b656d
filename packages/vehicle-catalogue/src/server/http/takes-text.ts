import { builtinModules } from "../builtin-modules.js";

/** What of a response tells whether anything stands between it and its connection. */
export interface Carrier {
  readonly end: unknown;
  readonly write?: unknown;
  readonly socket?: unknown;
}

/**
 * Whether a text that goes to a response reaches the connection as it is. Much of what wraps responses, or stands in for a
 * socket, takes texts for UTF-8 whatever is said about them; bytes are safe with everyone.
 */
export function takesText(carrier: Carrier): boolean {
  plain ??= findPlain();
  return carrier.end === plain.end && carrier.write === plain.write && plain.hasSocket(carrier);
}

interface PlainNode {
  readonly end: unknown;
  readonly write: unknown;
  hasSocket(carrier: Carrier): boolean;
}

let plain: PlainNode | undefined;

function findPlain(): PlainNode {
  const builtin = builtinModules();
  if (builtin === undefined) return { end: undefined, write: undefined, hasSocket: () => false };
  const { Socket } = builtin("node:net");
  const { write: send } = Socket.prototype;
  const { end, write } = builtin("node:http").OutgoingMessage.prototype;
  return { end, write, hasSocket: ({ socket }) => socket instanceof Socket && socket.write === send };
}
