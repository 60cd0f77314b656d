import { type ParameterValues, parameterTypeOf } from "@wye/pipeline-resolver";
import { didYouMean, inexactIntegers, jsonProblem, ownEntry, type Pipeline } from "@wye/pipeline-spec";
import { UsageError } from "../exit-code.js";

/**
 * `name=value` texts by the declared types: a STRING is taken as it is, all else is JSON. The name ends at the first `=`, unless the pipeline has
 * parameters with one in their names: then the longest of them that fits counts.
 */
export function parametersOf({ spec }: Pick<Pipeline, "spec">, texts: readonly string[]): ParameterValues {
  const declared = spec.root?.inputDefinitions?.parameters ?? {};
  const given = new Set<string>();
  const values = texts.map((text) => {
    const equals = nameLength(text, declared);
    if (equals < 1) throw new UsageError(`--parameter ${text}: write name=value`);
    const [name, value] = [text.slice(0, equals), text.slice(equals + 1)];
    if (given.has(name)) throw new UsageError(`--parameter ${text}: ${JSON.stringify(name)} is given twice`);
    given.add(name);
    const parameter = ownEntry(declared, name);
    if (parameter === undefined) {
      const names = Object.keys(declared);
      const near = didYouMean(name, names);
      const help = near
        ? `did you mean ${near}?`
        : names.length > 0
          ? `it has ${names.join(", ")}`
          : "it has none";
      throw new UsageError(`the pipeline has no parameter ${JSON.stringify(name)}; ${help}`);
    }
    const type = parameterTypeOf(parameter);
    return [name, type === "STRING" ? value : valueIn(value, type, text)] as const;
  });
  return Object.fromEntries(values);
}

function nameLength(text: string, declared: object): number {
  const lengths = Object.keys(declared).flatMap((name) => (text.startsWith(`${name}=`) ? [name.length] : []));
  return lengths.length > 0 ? Math.max(...lengths) : text.indexOf("=");
}

function valueIn(json: string, type: ReturnType<typeof parameterTypeOf>, text: string): unknown {
  const wrong = (message: string) => new UsageError(`--parameter ${text}: ${message}`);
  const value = parsed(json);
  if (value === undefined) throw wrong(`a value of type ${type} is written as JSON`);
  const problem = jsonProblem(value);
  if (problem !== undefined) throw wrong(problem);
  // Of two members with one name JSON.parse keeps the last.
  if (membersOf(value) < membersIn(json)) throw wrong("a name stands twice in an object of it");
  // A NUMBER_DOUBLE is near what is written, and everybody knows; an integer may be the name of something.
  const [other] = type === "NUMBER_DOUBLE" ? [] : inexactIntegers(json);
  if (other !== undefined)
    throw wrong(
      `the integer ${other[1]} would become ${other[0]}: larger ones than 2^53 - 1 are texts (STRING)`,
    );
  return value;
}

/** How many members the objects of a JSON text have: one for each colon outside of its strings. */
const membersIn = (json: string): number =>
  [...json.matchAll(/"(?:[^"\\]|\\.)*"|:/g)].filter(([part]) => part === ":").length;

function membersOf(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  const inside = Object.values(value).map(membersOf);
  return inside.reduce((sum, count) => sum + count, Array.isArray(value) ? 0 : inside.length);
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return undefined;
  }
}
