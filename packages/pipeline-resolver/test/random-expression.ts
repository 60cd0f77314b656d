/** A source of random numbers with a seed, the same on every machine. */
export type Random = () => number;

export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The inputs that random expressions read: one of each kind, and some whose values are strange. */
export const randomInputs: Readonly<Record<string, unknown>> = {
  n: 5,
  f: 2.5,
  zero: 0,
  neg: -3,
  s: "text",
  five: "5",
  empty: "",
  uni: "naïve \u{1f600}",
  b: true,
  no: false,
  none: null,
  l: [1, 2.5, "a", null, [1]],
  nums: [3, 1, 2],
  texts: ["a", "b", "text"],
  m: { a: 1, b: "x", c: { d: [1, 2] }, n: null },
  json: '{"k":[1,2,{"x":"y"}],"n":null}',
};

type Kind = "bool" | "int" | "double" | "text" | "list" | "map" | "any";

/** A random expression of a kind, mostly of operands that fit, sometimes of others. */
export function randomExpression(
  random: Random,
  kind: Kind,
  depth: number,
  scope: readonly string[] = [],
): string {
  const pick = <T>(choices: readonly T[]): T => choices[Math.floor(random() * choices.length)] as T;
  const of = (wanted: Kind, inner: readonly string[] = scope): string =>
    randomExpression(random, random() < 0.04 ? pick(kinds) : wanted, depth - 1, inner);
  const input = (...names: string[]): string => {
    const name = pick(names);
    return random() < 0.8 ? `inputs.parameter_values['${name}']` : `inputs.parameter_values.${name}`;
  };
  const number = (): Kind => pick(["int", "double"] as const);
  const loop = (macro: string, body: Kind): string => {
    const variable = `v${scope.length}`;
    return `${of("list")}.${macro}(${variable}, ${of(body, [...scope, variable])})`;
  };
  const leaf = depth <= 0;
  const variable = scope.length > 0 && random() < 0.3 ? pick(scope) : undefined;
  if (variable !== undefined && (leaf || random() < 0.3)) return variable;
  switch (kind) {
    case "bool": {
      if (leaf) return pick(["true", "false", input("b", "no"), `${input("n")} == 5`]);
      const same = pick(["text", "any", "list", "map", "bool"] as const);
      return pick([
        () => `${of("double")} ${pick(["==", "!=", "<", "<=", ">", ">="])} ${of("double")}`,
        () => `dyn(${of(number())}) ${pick(["==", "!=", "<", ">="])} dyn(${of(number())})`,
        () => `${of("text")} ${pick(["==", "<", ">="])} ${of("text")}`,
        () => `dyn(${of(same)}) ${pick(["==", "!="])} dyn(${of(same)})`,
        () => `(${of("bool")} ${pick(["&&", "||"])} ${of("bool")})`,
        () => `!(${of("bool")})`,
        () => `(${of("bool")} ? ${of("bool")} : ${of("bool")})`,
        () => `${of("text")}.${pick(["startsWith", "endsWith", "contains"])}(${of("text")})`,
        () => `${of("text")}.matches('${pick(["^t", "x+t$", "[0-9]", "(a|b)*", "."])}')`,
        () => `${of("any")} in ${of("list")}`,
        () => `${of("text")} in ${of("map")}`,
        () => `has(${of("map")}.${pick(["a", "c", "zz"])})`,
        () => `has(inputs.parameter_values.${pick(["n", "none", "missing"])})`,
        () => loop(pick(["all", "exists", "exists_one"]), "bool"),
        () => `bool(${pick([of("bool"), "'true'", "'f'", of("text")])})`,
        () =>
          `type(${of("any")}) == ${pick(["int", "double", "string", "list", "map", "bool", "null_type"])}`,
      ])();
    }
    case "int":
      if (leaf)
        return pick([
          "0",
          "1",
          "2",
          "7",
          "-1",
          "9223372036854775807",
          `size(${input("l", "s", "m", "uni")})`,
        ]);
      return pick([
        () => `(${of("int")} ${pick(["+", "-", "*", "/", "%"])} ${of("int")})`,
        () => `int(${of(pick(["double", "int", "text"]))})`,
        () => `size(${of(pick(["list", "map", "text"]))})`,
        () => `-(${of("int")})`,
        () => `(${of("bool")} ? ${of("int")} : ${of("int")})`,
        () => `${of("list")}.size()`,
      ])();
    case "double":
      if (leaf) return pick(["0.0", "1.0", "2.5", "-1.5", "1e3", input("n", "f", "zero", "neg", "missing")]);
      return pick([
        () => `(${of("double")} ${pick(["+", "-", "*", "/"])} ${of("double")})`,
        () => `double(${of(pick(["double", "int", "text"]))})`,
        () => `-(${of("double")})`,
        () => `${of("list")}[${of("int")}]`,
        () => `parseJson(${input("json")}).k[${of("int")}]`,
      ])();
    case "text":
      if (leaf)
        return pick(["''", "'a'", "'text'", "'5'", "'2.5'", '"it\'s"', input("s", "five", "empty", "uni")]);
      return pick([
        () => `(${of("text")} + ${of("text")})`,
        () => `string(${of(pick(["int", "double", "bool", "text"]))})`,
        () => `(${of("bool")} ? ${of("text")} : ${of("text")})`,
        () => `${of("map")}[${of("text")}]`,
      ])();
    case "list":
      if (leaf) return pick(["[1]", "['a', 2.5, null]", "[[1], [2.0]]", input("l", "nums", "texts")]);
      return pick([
        () => `[${of("any")}, ${of("any")}]`,
        () => `(${of("list")} + ${of("list")})`,
        () => loop("map", "any"),
        () => loop("filter", "bool"),
        () => `parseJson(${input("json")}).k`,
        () => `${input("m")}.c.d`,
      ])();
    case "map":
      if (leaf) return pick(["{'a': 1}", "{'a': null, 'zz': 2}", input("m"), `${input("m")}['c']`]);
      return pick([
        () => `{'a': ${of("any")}, 'c': ${of("any")}}`,
        () => `parseJson(${pick([input("json"), of("text")])})`,
        () => `(${of("bool")} ? ${of("map")} : ${of("map")})`,
      ])();
    case "any":
      if (leaf) return pick(["null", input(...Object.keys(randomInputs)), "1", "'a'"]);
      return of(pick(kinds));
  }
}

const kinds = ["bool", "int", "double", "text", "list", "map", "any"] as const;
