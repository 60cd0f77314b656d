import type { BinaryReader, BinaryWriter } from "@bufbuild/protobuf/wire";

/** What a message can do: be made, and travel as bytes. */
export interface MessageCodec<T> {
  /** Writes a message; `encode(message).finish()` gives the bytes. */
  encode(message: T, writer?: BinaryWriter): BinaryWriter;
  /** Reads bytes that one has written oneself; for others there is `readBinary`. Throws an `Error` when they are broken. */
  decode(input: BinaryReader | Uint8Array, length?: number): T;
  /** Makes a message out of some of its fields, or of none; the others get their defaults. */
  create(fields?: PartialMessage<T>): T;
}

/** A message of which any part may be missing. */
export type PartialMessage<T> = unknown extends T
  ? T
  : T extends Uint8Array | string | number | boolean | undefined
    ? T
    : T extends (infer U)[]
      ? PartialMessage<U>[]
      : T extends { $case: string; value: unknown }
        ? { $case: T["$case"]; value?: PartialMessage<T["value"]> }
        : { [K in keyof T]?: PartialMessage<T[K]> };
