import type { SourceFactory, SourceSink } from "@wye/relay";
import { messageOf } from "../../message-of.js";
import type { Channel, FromWorker, ToWorker } from "./messages.js";
import { receivedChange } from "./sent-change.js";

/** In a worker: the flags come from the process that has started it. */
export function createSharedSource(channel: Channel<FromWorker, ToWorker>): SourceFactory {
  const sinks = new Map<number, SourceSink>();
  let last = 0;
  channel.listen((message) => {
    if (!("source" in message)) return;
    const { source } = message;
    const sink = sinks.get(source);
    if (sink === undefined) return;
    if (message.type !== "change") sink[message.type](message.trouble.kind, message.trouble.message);
    else
      sink.apply(receivedChange(message.change)).then(
        () => channel.send({ type: "taken", source }),
        (error) => channel.send({ type: "taken", source, problem: messageOf(error) }),
      );
  });
  return ({ label, sdkKey, filter, sink, upstream }) => {
    const { dispatcher: _, ...sent } = upstream;
    const source = ++last;
    sinks.set(source, sink);
    channel.send({ type: "open", source, request: { label, sdkKey, filter, upstream: sent } });
    return {
      close() {
        sinks.delete(source);
        channel.send({ type: "close", source });
      },
    };
  };
}
