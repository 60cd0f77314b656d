import { type Artifacts, type ParameterValues, parameterTypeOf } from "@wye/pipeline-resolver";
import { type ComponentSpec, inexactIntegers } from "@wye/pipeline-spec";

/** Finds the integers that a task has written and that would be other numbers by the time they are read. */
export class ExactNumbers {
  readonly #written = new Map<number, string>();

  /** Looks at a text that the task has written. */
  in(text: string | undefined): string | undefined {
    if (text !== undefined)
      for (const [value, digits] of inexactIntegers(text)) this.#written.set(value, digits);
    return text;
  }

  /** What is wrong with values that were read from these texts. A NUMBER_DOUBLE is near what is written, and everybody knows. */
  lostIn({ outputDefinitions }: ComponentSpec, values: ParameterValues): string | undefined {
    if (this.#written.size === 0) return undefined;
    for (const [name, spec] of Object.entries(outputDefinitions?.parameters ?? {})) {
      const value = parameterTypeOf(spec) === "NUMBER_DOUBLE" ? undefined : this.#lost(values[name]);
      if (value === undefined) continue;
      const digits = this.#written.get(value);
      return `its output parameter ${name} holds the integer ${digits}, which would become ${value}: larger ones than 2^53 - 1 are texts (STRING)`;
    }
    return undefined;
  }

  /** What is wrong with what a task says of its artifacts: it is no reason to fail, but somebody may look for these digits. */
  lostInMetadata(made: Artifacts): readonly string[] {
    if (this.#written.size === 0) return [];
    for (const [name, { artifacts }] of Object.entries(made)) {
      const value = this.#lost(artifacts.map(({ metadata }) => metadata));
      if (value === undefined) continue;
      return [
        `the metadata of its output artifact ${name} holds the integer ${this.#written.get(value)}, which becomes ${value}`,
      ];
    }
    return [];
  }

  /** The first number in a value that was another one in the text. */
  #lost(value: unknown): number | undefined {
    const open = [value];
    for (let one = open.pop(); one !== undefined || open.length > 0; one = open.pop()) {
      if (typeof one === "number" && this.#written.has(one)) return one;
      if (typeof one === "object" && one !== null) for (const member of Object.values(one)) open.push(member);
    }
    return undefined;
  }
}
