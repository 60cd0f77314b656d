/** An event of a stream as bytes, made once and shared by all who receive it. */
export interface Frame {
  /** The event alone. */
  readonly event: Buffer;
  /** The event as one chunk of a chunked HTTP body. */
  readonly chunk: Buffer;
}

/** Makes the bytes of an event. The data must be on one line. */
export function eventFrame(name: string, data: string): Frame {
  return frameFrom(eventText(name, data));
}

/** The text of an event. The data must be on one line. */
export function eventText(name: string, data: string): string {
  return `event: ${name}\ndata: ${data}\n\n`;
}

/** The comment that keeps idle streams open. */
export const heartbeatFrame: Frame = frameFrom(":\n");

/** Tells a client-side SDK to ask for its flags. The data is one blank: SDKs ignore events without data. */
export const pingFrame: Frame = eventFrame("ping", " ");

/** Makes the bytes of a text: one event, or several that are sent as one. */
export function frameFrom(text: string): Frame {
  const size = Buffer.byteLength(text);
  const head = `${size.toString(16)}\r\n`;
  const chunk = Buffer.allocUnsafeSlow(head.length + size + 2);
  chunk.write(head);
  chunk.write(text, head.length);
  chunk.write("\r\n", head.length + size);
  return { event: chunk.subarray(head.length, head.length + size), chunk };
}
