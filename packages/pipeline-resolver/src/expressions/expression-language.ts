/**
 * The two places of a specification that hold CEL: `condition` is `triggerPolicy.condition`, which reads the executor input;
 * `selector` is `parameterExpressionSelector`, which picks a value out of another one.
 */
export type ExpressionKind = "condition" | "selector";

/** Names and types that an expression may use: CEL type names, with the messages spelt out as fields. */
export interface ExpressionLanguage {
  /** The place that it is for: hints depend on it. */
  readonly kind: ExpressionKind;
  readonly variables: Readonly<Record<string, string>>;
  /** Messages in the order in which they refer to each other: fields with proto names, and their types. */
  readonly messages: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

const executorInput: ExpressionLanguage = {
  kind: "condition",
  variables: { inputs: "Inputs", outputs: "Outputs" },
  messages: {
    TypedValue: { int_value: "int", double_value: "double", string_value: "string" },
    ArtifactTypeSchema: {
      schema_title: "string",
      schema_uri: "string",
      instance_schema: "string",
      schema_version: "string",
    },
    RuntimeArtifact: {
      name: "string",
      type: "ArtifactTypeSchema",
      uri: "string",
      properties: "map<string, TypedValue>",
      custom_properties: "map<string, TypedValue>",
      metadata: "map<string, dyn>",
      custom_path: "string",
    },
    ArtifactList: { artifacts: "list<RuntimeArtifact>" },
    OutputParameter: { output_file: "string" },
    Inputs: {
      parameters: "map<string, TypedValue>",
      artifacts: "map<string, ArtifactList>",
      parameter_values: "map<string, dyn>",
    },
    Outputs: {
      parameters: "map<string, OutputParameter>",
      artifacts: "map<string, ArtifactList>",
      output_file: "string",
    },
  },
};

/** The members of `google.protobuf.Value`. */
const jsonValue: ExpressionLanguage = {
  kind: "selector",
  variables: {
    null_value: "dyn",
    number_value: "double",
    string_value: "string",
    bool_value: "bool",
    struct_value: "map<string, dyn>",
    list_value: "list<dyn>",
  },
  messages: {},
};

/** What the expressions of each kind may name. */
export const languages: Readonly<Record<ExpressionKind, ExpressionLanguage>> = {
  condition: executorInput,
  selector: jsonValue,
};

/**
 * The functions and macros of the back end: the standard library of CEL and `parseJson`. The engine knows more (extensions),
 * which the back end would refuse.
 */
export const knownFunctions: ReadonlySet<string> = new Set([
  ...["all", "exists", "exists_one", "filter", "has", "map"],
  ...["contains", "endsWith", "matches", "parseJson", "size", "startsWith"],
  ...["bool", "bytes", "double", "duration", "dyn", "int", "string", "timestamp", "type", "uint"],
  ...["getDate", "getDayOfMonth", "getDayOfWeek", "getDayOfYear", "getFullYear", "getHours"],
  ...["getMilliseconds", "getMinutes", "getMonth", "getSeconds"],
]);

/** Names of types, which are values in CEL: `type(x) == int`. */
export const typeNames: ReadonlySet<string> = new Set([
  ...["bool", "bytes", "double", "google", "int", "list", "map", "null_type", "string", "type", "uint"],
]);
