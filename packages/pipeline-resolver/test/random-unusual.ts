import type { Random } from "./random-expression.js";

type Kind = "bool" | "time" | "duration" | "bytes" | "number" | "text" | "any";

/** A random condition about what few conditions are about: times, durations, bytes, kinds of numbers, maps with other keys. */
export function randomUnusual(random: Random, kind: Kind = "bool", depth = 3): string {
  const pick = <T>(choices: readonly T[]): T => choices[Math.floor(random() * choices.length)] as T;
  const of = (wanted: Kind): string => randomUnusual(random, wanted, depth - 1);
  const order = () => pick(["==", "!=", "<", "<=", ">", ">="]);
  if (depth <= 0) return pick(leaves[kind]);
  switch (kind) {
    case "bool":
      return pick([
        () => `${of("time")} ${order()} ${of("time")}`,
        () => `${of("duration")} ${order()} ${of("duration")}`,
        () => `${of("bytes")} ${order()} ${of("bytes")}`,
        () => `${of("number")} ${order()} ${of("number")}`,
        () => `${of("text")} ${order()} ${of("text")}`,
        () => `dyn(${of("any")}) ${pick(["==", "!="])} dyn(${of("any")})`,
        () => `dyn(${of("number")}) in [dyn(${of("any")}), dyn(${of("number")})]`,
        () => `dyn(${of("number")}) in {1: 'a', 2u: 'b', 3: 'c'}`,
        () => `{1: 'a', 2: 'b'}.exists(k, k ${order()} ${pick(["1", "2", "3"])})`,
        () => `{1: 'a', 2u: 'b'}[dyn(${of("number")})] == 'a'`,
        () => `[dyn(1), 2u, 3.0][dyn(${of("number")})] ${pick(["==", "!="])} dyn(${of("number")})`,
        () => `(${of("bool")} ${pick(["&&", "||"])} ${of("bool")})`,
      ])();
    case "time":
      return pick([
        () => `(${of("time")} ${pick(["+", "-"])} ${of("duration")})`,
        () => `(${of("duration")} + ${of("time")})`,
        () => `timestamp(string(${of("time")}))`,
        () => pick(leaves.time),
      ])();
    case "duration":
      return pick([
        () => `(${of("duration")} ${pick(["+", "-"])} ${of("duration")})`,
        () => `(${of("time")} - ${of("time")})`,
        () => `duration(string(${of("duration")}))`,
        () => pick(leaves.duration),
      ])();
    case "bytes":
      return pick([
        () => `(${of("bytes")} + ${of("bytes")})`,
        () => `bytes(${of("text")})`,
        () => pick(leaves.bytes),
      ])();
    case "number":
      return pick([
        () => `(${of("number")} ${pick(["+", "-", "*", "/", "%"])} ${of("number")})`,
        () => `-(${of("number")})`,
        () => `${pick(["int", "uint", "double"])}(${of("number")})`,
        () => `int(${of("time")})`,
        () => `${of("time")}.${pick(["getMilliseconds", "getSeconds", "getFullYear", "getDayOfYear"])}()`,
        () => `${of("duration")}.${pick(["getMilliseconds", "getSeconds", "getMinutes", "getHours"])}()`,
        () => `size(${of("bytes")})`,
        () => pick(leaves.number),
      ])();
    case "text":
      return pick([
        () => `string(${of(pick(["time", "duration", "bytes", "number"] as const))})`,
        () => pick(leaves.text),
      ])();
    case "any":
      return of(pick(["time", "duration", "bytes", "number", "text"] as const));
  }
}

const leaves: Readonly<Record<Kind, readonly string[]>> = {
  bool: ["true", "false"],
  time: [
    ..."2024-01-01T00:00:00Z 2024-01-01T00:00:00.0000001Z 2024-01-01T00:00:00.123456Z 2024-02-29T12:34:56.789Z".split(
      " ",
    ),
    ..."2024-02-30T00:00:00Z 2024-02-29T24:00:00Z 2024-02-29t12:34:56z 9999-12-31T23:59:59Z 0001-01-01T00:00:00Z".split(
      " ",
    ),
    ..."2024-01-01T01:00:00+01:00 1969-12-31T23:59:59.999999999Z 2024-01-01T00:00:00.1234567891Z 0000-12-31T23:59:59Z".split(
      " ",
    ),
    ..."2024-01-01T5:00:00Z 2024-01-01T00:00:00,5Z 2024-01-01T00:00:00+24:00 2024-01-01T00:00:60Z 2024-01-01".split(
      " ",
    ),
  ]
    .map((text) => `timestamp('${text}')`)
    .concat(["timestamp(0)", "timestamp(-1)", "timestamp(253402300800)", "timestamp(253402300799)"]),
  duration: [
    ..."1us 1ns 456us 48h 90s 1h30m -1.5h 0 0s 315576000000s 2562047h47m16.854775807s -1ms 1.0000000015s .5s 1.s +5m 5".split(
      " ",
    ),
    ..."9223372036s -9223372036.854775808s 1h1h 3µs 3μs 1d".split(" "),
  ].map((text) => `duration('${text}')`),
  bytes: [
    "b'é'",
    "b'\\303\\251'",
    "b'\\xe9'",
    "b''",
    "br'\\xe9'",
    "b'a'",
    'b"""a"b"""',
    "b'\\u00e9'",
    "bytes('é')",
    "b'😀'",
    "BR'a\\'",
  ],
  number: [
    ..."0 1 2 -1 7u 0u 1u 18446744073709551615u 9223372036854775807 -9223372036854775808 9223372036854775806".split(
      " ",
    ),
    ...".5 .25 1.0 2.5 -0.0 1e3 .5e1 9007199254740993 9007199254740992.0 9223372036854775807.0 9223372036854775808.0".split(
      " ",
    ),
    ...[
      "18446744073709551615.0",
      "double('nan')",
      "double('inf')",
      "inputs.parameter_values['f']",
      "inputs.parameter_values['n']",
    ],
  ],
  text: [
    "'a'",
    "r'\\'",
    "r'a\\'",
    "'é'",
    "'2024-01-01T00:00:00.123456Z'",
    "'90s'",
    "r'\\n'",
    "'\\n'",
    'R"\\""',
    "''",
  ],
  any: ["null", "1", "'a'"],
};
