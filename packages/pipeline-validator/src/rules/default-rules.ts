import { describeValue } from "@wye/pipeline-spec";
import { isLiteral } from "../literals.js";
import { fitsKind, type ParameterKind } from "../parameter-kind.js";
import { constantAt, constants, declarationAt, declarations } from "../parameter-values.js";
import { quote } from "../quote.js";
import { always, type Rule, type RuleFamily, underKfp } from "../rule.js";
import { valueHint } from "../value-hint.js";
import { itemLiteral, sourceDefault, sourceLiterals } from "./literal-source-rules.js";

const defaultType: Rule = {
  id: "default-type-mismatch",
  summary: "The default of an input is of its type.",
  reason: "The default is used as it is: the driver or the program fails when no other value is given.",
  severity: always("error"),
  examples: {
    wrong: "components: {comp-train: {inputDefinitions: {parameters: {epochs: {defaultValue: many}}}}}",
    right: "components: {comp-train: {inputDefinitions: {parameters: {epochs: {defaultValue: 10}}}}}",
  },
  *check(index, profile) {
    for (const { at, name, declared, kind } of index.once(declarations)) {
      const { defaultValue } = declared;
      if (defaultValue === undefined || defaultValue === null || kind === undefined) continue;
      if (fitsKind(defaultValue, kind)) continue;
      // The back end makes text of every value where text is wanted; numbers in quotes are a matter of their own.
      if (profile === "kfp" && (kind === "STRING" || isNumberInQuotes(defaultValue, kind))) continue;
      const message = `the default of ${quote(name)}, which is of type ${kind}, cannot be ${describeValue(defaultValue)}`;
      yield { at: `${at}/defaultValue`, message, hint: valueHint(defaultValue, kind) };
    }
  },
};

/** Old compilers wrote the defaults of numbers as text. */
function isNumberInQuotes(value: unknown, kind: ParameterKind | undefined): value is string {
  return (
    kind?.startsWith("NUMBER_") === true &&
    typeof value === "string" &&
    value.trim() !== "" &&
    !Number.isNaN(Number(value))
  );
}

const defaultInQuotes: Rule = {
  id: "default-number-in-quotes",
  summary: "The default of a number is a number, and not a text of digits.",
  reason:
    "The driver refuses the text where a task takes the default for a number; a container gets it as a text.",
  severity: underKfp("warning"),
  examples: {
    wrong: "components: {comp-train: {inputDefinitions: {parameters: {epochs: {defaultValue: '10'}}}}}",
    right: "components: {comp-train: {inputDefinitions: {parameters: {epochs: {defaultValue: 10}}}}}",
  },
  *check(index) {
    for (const { at, name, declared, kind } of index.once(declarations)) {
      const { defaultValue } = declared;
      if (!isNumberInQuotes(defaultValue, kind)) continue;
      const message = `the default of ${quote(name)}, which is of type ${kind}, is the text ${quote(defaultValue)}`;
      yield { at: `${at}/defaultValue`, message, hint: `write ${defaultValue.trim()} without quotes` };
    }
  },
};

const literalType: Rule = {
  id: "literal-type-mismatch",
  summary: "The literals of an input are of its type.",
  reason: "A value of the right type could never equal them.",
  severity: always("error"),
  examples: {
    wrong: "components: {comp-train: {inputDefinitions: {parameters: {epochs: {literals: [3, '10']}}}}}",
    right: "components: {comp-train: {inputDefinitions: {parameters: {epochs: {literals: [3, 10]}}}}}",
  },
  *check(index) {
    for (const { at, name, declared, kind } of index.once(declarations)) {
      for (const [position, literal] of declared.literals.entries()) {
        if (kind === undefined || fitsKind(literal, kind)) continue;
        const message = `${quote(name)} is of type ${kind} and can never be ${describeValue(literal)}`;
        yield { at: `${at}/literals/${position}`, message, hint: valueHint(literal, kind) };
      }
    }
  },
};

const constantLiteral: Rule = {
  id: "constant-not-literal",
  summary: "A constant for an input with literals is one of them.",
  reason: "The driver refuses the value when the task is to start.",
  severity: always("error"),
  examples: {
    wrong: `
root: {dag: {tasks: {train: {inputs: {parameters: {epochs: {runtimeValue: {constant: 5}}}}}}}}
components: {comp-train: {inputDefinitions: {parameters: {epochs: {literals: [3, 10]}}}}}
`,
    right: `
root: {dag: {tasks: {train: {inputs: {parameters: {epochs: {runtimeValue: {constant: 10}}}}}}}}
components: {comp-train: {inputDefinitions: {parameters: {epochs: {literals: [3, 10]}}}}}
`,
  },
  *check(index) {
    for (const constant of index.once(constants)) {
      const { input, value, declared } = constant;
      const { literals } = declared;
      if (literals.length === 0 || isLiteral(value, literals)) continue;
      if (typeof value === "string" && value.includes("{{$")) continue;
      const message = `${describeValue(value)} is not one of the literals of ${quote(input.name)}`;
      const hint = `use one of ${JSON.stringify(literals.slice(0, 10)).slice(1, -1)}`;
      const allowed = `${declarationAt(constant)}/literals`;
      const related = [{ at: allowed, part: "key", message: "allowed values" } as const];
      yield { at: constantAt(constant), message, hint, related };
    }
  },
};

const defaultLiteral: Rule = {
  id: "default-not-literal",
  summary: "The default of an input with literals is one of them.",
  reason: "The server does not compare the default, so that a value gets in that nobody could give.",
  severity: always("warning"),
  examples: {
    wrong: "components: {comp-train: {inputDefinitions: {parameters: {epochs: {literals: [5, 10]}}}}}",
    right: "components: {comp-train: {inputDefinitions: {parameters: {epochs: {literals: [3, 10]}}}}}",
  },
  *check(index) {
    for (const { at, name, declared } of index.once(declarations)) {
      const { defaultValue, literals } = declared;
      if (defaultValue === undefined || defaultValue === null || literals.length === 0) continue;
      if (isLiteral(defaultValue, literals)) continue;
      const message = `the default of ${quote(name)}, ${describeValue(defaultValue)}, is not one of its literals`;
      yield { at: `${at}/defaultValue`, message };
    }
  },
};

/** Rules about defaults and literals of parameters. */
export const defaultRules: RuleFamily = {
  title: "Defaults and literals of parameters",
  appliesTo: (index) =>
    index
      .once(declarations)
      .some(({ declared }) => declared.defaultValue !== undefined || declared.literals.length > 0),
  rules: [
    defaultType,
    defaultInQuotes,
    literalType,
    constantLiteral,
    itemLiteral,
    sourceLiterals,
    sourceDefault,
    defaultLiteral,
  ],
};
