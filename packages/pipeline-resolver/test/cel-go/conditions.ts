import { createRandom, randomExpression, randomInputs } from "../random-expression.js";

/** What the conditions read, as the JSON of an ExecutorInput. */
export const conditionInput: object = {
  inputs: {
    parameterValues: randomInputs,
    parameters: { old: { intValue: "5" }, empty: {} },
    artifacts: {
      data: {
        artifacts: [
          {
            name: "12",
            uri: "gs://b/x",
            type: { schemaTitle: "system.Dataset", schemaVersion: "0.0.1" },
            metadata: { rows: 5, accuracy: 0.95 },
            customProperties: { p: { stringValue: "q" } },
          },
        ],
      },
    },
  },
  outputs: { outputFile: "/tmp/out.json", parameters: { o: { outputFile: "/tmp/o" } } },
};

const p = (name: string): string => `inputs.parameter_values['${name}']`;
const data = "inputs.artifacts['data'].artifacts[0]";

/** Conditions about which cel-go was asked: some written by hand, many random ones. */
export const conditions: Readonly<Record<"written" | "random", readonly string[]>> = {
  written: [
    `${p("n")} == 5`,
    `${p("n")} == 5.0`,
    `${p("n")} * 2 == 10`,
    `${p("n")} * 2.0 == 10.0`,
    `5.5 <= ${p("n")}`,
    `int(${p("n")}) == 5`,
    "int(5.9) == 5 && int(-5.9) == -5",
    "int(1e19) == 1",
    "int(9223372036854775807.0) == 1",
    "int('+5') == 5",
    "int('5.0') == 5",
    "int('') == 0",
    "int(' 5') == 5",
    "int('0x10') == 16",
    "double('') == 0.0",
    "double('-.5e1') == -5.0",
    "double('0x10') == 16.0",
    "double('inf') > 1.0",
    "uint(-1) == 0u",
    "uint(3.7) == 3u",
    "bool('T') && !bool('F')",
    "string(1.0) == '1'",
    "string(1e6) == '1e+06' && string(123456789.0) == '1.23456789e+08'",
    "string(-1e-7) == '-1e-07' && string(0.0001) == '0.0001'",
    `${p("missing")} == 1`,
    `false && ${p("missing")} == 1`,
    `${p("missing")} == 1 && false`,
    `${p("missing")} == 1 || true`,
    `has(inputs.parameter_values.none) && 'none' in inputs.parameter_values`,
    "has(inputs.parameter_values.missing)",
    `has(${p("m")}['c'].d) && !has(${p("m")}.c.e)`,
    `has(${p("s")}.x) || has(${p("l")}.x) || has(${p("none")}.x)`,
    "has({'a': 1}.a)",
    "has(inputs.nope)",
    `has(${p("n")})`,
    "has(inputs.parameters) && has(inputs.artifacts) && has(outputs.output_file)",
    `has(${data}.uri) && has(${data}.metadata) && !has(${data}.custom_path) && !has(${data}.type.schema_uri)`,
    `${data}.custom_path == '' && ${data}.type.schema_title == 'system.Dataset'`,
    `${data}.metadata['accuracy'] * 100.0 > 90.0`,
    `${data}.custom_properties['p'].string_value == 'q'`,
    `${data}.custom_properties['p'].int_value == 0`,
    "inputs.parameters['old'].int_value == 5 && inputs.parameters['old'].double_value == 0.0",
    "has(inputs.parameters['old'].int_value) && !has(inputs.parameters['old'].double_value)",
    "inputs.parameters['old'] == 'foo'",
    "inputs.artifacts['data'][0].uri == ''",
    "outputs.parameters['o'].output_file == '/tmp/o'",
    "size(inputs.artifacts) > 1.5",
    "1 == 1.0",
    "'a' == 1",
    "dyn('a') == 1",
    "inputs['parameter_values']['n'] == 5.0",
    "inputs.parameter_values[1] == 1",
    `${p("l")} == [1.0, 2.5, 'a', null, [1.0]]`,
    `${p("m")} == {'a': 1.0, 'b': 'x', 'c': {'d': [1, 2]}, 'n': null}`,
    "inputs.parameter_values == {}",
    `type(${p("none")}) == null_type && type(${p("n")}) == double`,
    `${p("l")}.filter(x, type(x) == string) == ['a']`,
    `${p("l")}.exists_one(x, x == 'a')`,
    "inputs.parameter_values.existsOne(k, k == 's')",
    "{'a': 1, 'a': 2} == {}",
    "{1.5: 1} == {}",
    `${p("s")}.matches('(?i)^T[EX]+') && matches(${p("s")}, 'x')`,
    `${p("s")}.matches('(' + ${p("s")})`,
    "'a'.matches('(?=a)')",
    `${p("s")}.lowerAscii() == ''`,
    `size(${p("uni")}) == 7`,
    "timestamp('2026-01-01T00:00:00Z') < timestamp('2026-01-02T00:00:00Z') && int(timestamp(1)) == 1",
    "string(timestamp('2026-01-01T00:00:00Z')) == '2026-01-01T00:00:00Z'",
    "string(duration('90s')) == '90s'",
    "b'a' < b'ab' && string(b'ab') == 'ab'",
    p("n"),
    'parseJson(\'{"a": [1, {"b": 2}]}\').a[1].b == 2.0',
    "parseJson('{') == 1",
    "parseJson(1) == 1",
    "9223372036854775807 + 1 > 0",
    "1 / 0 == 1",
    "dyn([1]) in dyn({'a': 1})",
    "cel.bind(x, 1, x == 1)",
  ],
  random: randomConditions(7, 5_000),
};

function randomConditions(seed: number, count: number): readonly string[] {
  const random = createRandom(seed);
  return Array.from({ length: count }, () => randomExpression(random, "bool", 4));
}
