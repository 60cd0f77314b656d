/**
 * The part of JSON Schema (2020-12) that describes the resources of the API. The attribute tables are written in it, so
 * that types, the validation of loaded records and the OpenAPI description all come from one place.
 */
export interface Schema {
  readonly type?: SchemaTypeName | readonly SchemaTypeName[];
  readonly description?: string;
  readonly enum?: readonly (string | number | null)[];
  readonly examples?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly items?: Schema;
  readonly uniqueItems?: boolean;
  readonly maxItems?: number;
  readonly properties?: { readonly [name: string]: Schema };
  readonly required?: readonly string[];
  readonly maxProperties?: number;
  /** A pattern that the names of further members follow; with `additionalProperties` as their schema. */
  readonly propertyNames?: { readonly pattern: string; readonly description?: string };
  readonly additionalProperties?: Schema | boolean;
}

/** The types of JSON Schema. */
export type SchemaTypeName = "string" | "number" | "integer" | "boolean" | "array" | "object" | "null";

/** The TypeScript types of the scalar types of JSON Schema. */
export interface ScalarTypes {
  string: string;
  number: number;
  integer: number;
  boolean: boolean;
  null: null;
}

/**
 * The TypeScript type of the values that a schema describes. A list of texts is open: the operator may add values at
 * any time, so `"bev" | "phev"` also accepts strings nobody has heard of, while editors still offer the known ones.
 */
export type SchemaValue<S> = S extends { readonly enum: readonly (infer Value)[] }
  ? Value | (Value extends string ? string & {} : never)
  : S extends { readonly items: infer Item }
    ? readonly SchemaValue<Item>[]
    : S extends { readonly properties: infer Properties }
      ? { readonly [Name in keyof Properties]: SchemaValue<Properties[Name]> }
      : S extends { readonly additionalProperties: infer Member }
        ? { readonly [name: string]: SchemaValue<Member> }
        : S extends { readonly type: infer Type }
          ? Type extends readonly (keyof ScalarTypes)[]
            ? ScalarTypes[Type[number]]
            : Type extends keyof ScalarTypes
              ? ScalarTypes[Type]
              : never
          : never;
