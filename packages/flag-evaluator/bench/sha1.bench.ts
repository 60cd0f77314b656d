import * as crypto from "node:crypto";
import { bench } from "../../../scripts/bench-harness.js";
import { hash60, hashPrefix, hashSuffix } from "../src/sha1.js";

const messages = {
  "one block (18 bytes)": ["flag-1.salt-1.", "us-1"],
  "two blocks (92 bytes)": [
    "config-export-profile-0.246ccecb0874e34d328fc3522dca9010.",
    "user-be3bad9d-4c1e-9f27-a1b2c3d4958",
  ],
} as const;

/** The same arithmetic with its rounds as a loop and its schedule in an array. */
function loops(message: string): number {
  const size = Math.ceil((message.length + 9) / 64) * 64;
  const bytes = new Uint8Array(size);
  for (let i = 0; i < message.length; i++) bytes[i] = message.charCodeAt(i);
  bytes[message.length] = 0x80;
  const view = new DataView(bytes.buffer);
  view.setUint32(size - 4, message.length * 8);
  let [h0, h1, h2, h3, h4] = [0x67452301, 0xefcdab89 | 0, 0x98badcfe | 0, 0x10325476, 0xc3d2e1f0 | 0];
  const w = new Int32Array(80);
  for (let at = 0; at < size; at += 64) {
    for (let i = 0; i < 16; i++) w[i] = view.getInt32(at + 4 * i);
    for (let i = 16; i < 80; i++) {
      const mixed = w[i - 3]! ^ w[i - 8]! ^ w[i - 14]! ^ w[i - 16]!;
      w[i] = (mixed << 1) | (mixed >>> 31);
    }
    let [a, b, c, d, e] = [h0, h1, h2, h3, h4];
    for (let i = 0; i < 80; i++) {
      const f =
        i < 20
          ? ((b & c) | (~b & d)) + 0x5a827999
          : i < 40
            ? (b ^ c ^ d) + 0x6ed9eba1
            : i < 60
              ? ((b & c) | (b & d) | (c & d)) - 0x70e44324
              : (b ^ c ^ d) - 0x359d3e2a;
      const next = (((a << 5) | (a >>> 27)) + f + e + w[i]!) | 0;
      [e, d, c, b, a] = [d, c, (b << 30) | (b >>> 2), a, next];
    }
    [h0, h1, h2, h3, h4] = [(h0 + a) | 0, (h1 + b) | 0, (h2 + c) | 0, (h3 + d) | 0, (h4 + e) | 0];
  }
  return (h0 >>> 0) * 2 ** 28 + (h1 >>> 4);
}

for (const [name, [prefix, key]] of Object.entries(messages)) {
  const code = Int32Array.from(hashPrefix(prefix));
  const suffix = hashSuffix(key);
  const message = prefix + key;
  const hex = (digest: string): number => Number.parseInt(digest.slice(0, 15), 16);
  if (hash60(code, 0, suffix) !== loops(message)) throw new Error("the contenders disagree");
  await bench(
    `SHA-1 of ${name} to a bucket`,
    {
      "wye, generated rounds and ready prefix": () => hash60(code, 0, suffix),
      "JavaScript with loops": () => loops(message),
      "crypto.hash": () => hex(crypto.hash("sha1", message)),
      "crypto.createHash": () => hex(crypto.createHash("sha1").update(message).digest("hex")),
    },
    {
      note: "a WebAssembly build was measured elsewhere at 110 and 170 ns; it would need compiling at start",
    },
  );
}
