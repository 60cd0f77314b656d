import { type ParameterValues, parameterTypeOf } from "@wye/pipeline-resolver";
import { didYouMean, ownEntry, type Pipeline } from "@wye/pipeline-spec";
import { UsageError } from "../exit-code.js";

/** `name=value` texts by the declared types: a STRING is taken as it is, all else is JSON. */
export function parametersOf({ spec }: Pick<Pipeline, "spec">, texts: readonly string[]): ParameterValues {
  const declared = spec.root?.inputDefinitions?.parameters ?? {};
  const values = texts.map((text) => {
    const equals = text.indexOf("=");
    if (equals < 1) throw new UsageError(`--parameter ${text}: write name=value`);
    const [name, value] = [text.slice(0, equals), text.slice(equals + 1)];
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
    if (type === "STRING") return [name, value] as const;
    try {
      return [name, JSON.parse(value) as unknown] as const;
    } catch {
      throw new UsageError(`--parameter ${text}: a value of type ${type} is written as JSON`);
    }
  });
  return Object.fromEntries(values);
}
