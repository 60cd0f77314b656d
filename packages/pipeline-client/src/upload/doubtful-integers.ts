import {
  type ComponentInputParameterSpec,
  ownEntry,
  ParameterType,
  type Pipeline,
  PrimitiveType,
  type Problem,
  pointer,
} from "@wye/pipeline-spec";

/** Whether a parameter is declared as a whole number, in either spelling. */
export function isInteger(declared: ComponentInputParameterSpec | undefined): boolean {
  return declared?.parameterType === ParameterType.NUMBER_INTEGER || declared?.type === PrimitiveType.INT;
}

/** Whole numbers beyond what a number of JavaScript holds, which a file or a program may have written with other digits. */
export function doubtfulIntegers(
  parameters: { readonly [name: string]: unknown },
  { spec }: Pipeline,
): readonly Problem[] {
  const declared = spec.root?.inputDefinitions?.parameters ?? {};
  return Object.entries(parameters).flatMap(([name, value]): readonly Problem[] => {
    if (!isInteger(ownEntry(declared, name)) || !Number.isInteger(value) || Number.isSafeInteger(value))
      return [];
    const message = `the integer ${value} may have been another one: larger ones than 2^53 - 1 are texts (STRING)`;
    return [{ code: "type", severity: "error", path: pointer("/parameterValues", name), message }];
  });
}
