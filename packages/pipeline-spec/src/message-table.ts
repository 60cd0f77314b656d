/** What a scalar field holds: double, float, int32, uint32, int64, uint64 (w), bool, string or bytes (y). */
export type ScalarCode = "d" | "f" | "i" | "u" | "l" | "w" | "b" | "s" | "y";

/** Well-known types that JSON writes in a form of their own: Value, Struct, ListValue, NullValue, Duration and Any. */
export type WellKnownCode = "V" | "S" | "L" | "N" | "D" | "A";

export interface EnumShape {
  readonly kind: "enum";
  readonly name: string;
  readonly numbers: ReadonlyMap<string, number>;
  readonly names: ReadonlyMap<number, string>;
}

export interface MessageShape {
  readonly kind: "message";
  readonly name: string;
  /** In the order of their numbers. */
  readonly fields: readonly FieldShape[];
  /** First and last number of each reserved range. */
  readonly reserved: readonly (readonly [number, number])[];
}

export type FieldType = ScalarCode | WellKnownCode | EnumShape | MessageShape;

export interface FieldShape {
  /** As in the proto file. */
  readonly name: string;
  /** As JSON writes it. */
  readonly json: string;
  /** As the TypeScript type has it. */
  readonly local: string;
  readonly number: number;
  readonly type: FieldType;
  readonly repeated: boolean;
  /** Type of the keys, for a map. */
  readonly key: ScalarCode | undefined;
  /** True when a default value counts as set. */
  readonly optional: boolean;
  readonly oneof: string | undefined;
  /** For a deprecated field: JSON names of what replaces it. */
  readonly replacedBy: readonly string[] | undefined;
}

/** The rule of protoc and of ts-proto. */
function camelCase(name: string): string {
  return name.replace(/_+(\w?)/g, (_, letter: string) => letter.toUpperCase());
}

// name, =number, ~json name, shape and type, @oneof, !what replaces it
const fieldPattern = /^(\w+)(?:=(\d+))?(?:~([^:]+))?:([*?]?)(?:\{(\w)\})?(\w+)(?:@(\w+))?(!.*)?$/;

/**
 * Reads the table that `scripts/table.mjs` writes. A line is a message (`Name field field …`) or an enum (`Name= VALUE
 * VALUE …`); a number is written only where it does not follow the one before. A field is `name=number~json:type`,
 * where the type is one letter for scalars and well-known types, else a name, after `*` for a list, `?` for a field
 * whose presence counts, `{k}` for a map with keys of type k; then `@oneof` and, for a deprecated field, `!` with what
 * replaces it. `-from-to` is a reserved range.
 */
export function parseTable(table: string): ReadonlyMap<string, MessageShape | EnumShape> {
  const lines = table.trim().split("\n");
  const shapes = new Map<string, MessageShape | EnumShape>();
  const bodies: (() => void)[] = [];
  for (const line of lines) {
    const [head = "", ...tokens] = line.split(" ");
    if (head.endsWith("=")) {
      const name = head.slice(0, -1);
      shapes.set(name, enumShape(name, tokens));
    } else {
      const fields: FieldShape[] = [];
      const reserved: [number, number][] = [];
      shapes.set(head, { kind: "message", name: head, fields, reserved });
      // Types may be named before their line comes.
      bodies.push(() => readMessage(tokens, shapes, fields, reserved));
    }
  }
  for (const body of bodies) body();
  return shapes;
}

function enumShape(name: string, tokens: readonly string[]): EnumShape {
  const numbers = new Map<string, number>();
  const names = new Map<number, string>();
  let next = 0;
  for (const token of tokens) {
    const [value = "", number = next] = token.split("=");
    numbers.set(value, Number(number));
    // Of several names for one number the first is written.
    if (!names.has(Number(number))) names.set(Number(number), value);
    next = Number(number) + 1;
  }
  return { kind: "enum", name, numbers, names };
}

function readMessage(
  tokens: readonly string[],
  shapes: ReadonlyMap<string, MessageShape | EnumShape>,
  fields: FieldShape[],
  reserved: [number, number][],
): void {
  let next = 1;
  for (const token of tokens) {
    if (token.startsWith("-")) {
      const [, from, to] = token.split("-");
      reserved.push([Number(from), Number(to)]);
      continue;
    }
    const match = fieldPattern.exec(token);
    if (match === null || !(match[6] && (match[6].length === 1 || shapes.has(match[6])))) {
      throw new TypeError(`not a field of a message table: ${token}`);
    }
    const [, name = "", number = next, json = camelCase(name), mark, key, type = "", oneof, replaced] = match;
    fields.push({
      name,
      json,
      local: camelCase(name),
      number: Number(number),
      // The generator writes one of these letters where no shape has the name.
      type: shapes.get(type) ?? (type as ScalarCode | WellKnownCode),
      repeated: mark === "*",
      // The generator writes nothing else in braces.
      key: key as ScalarCode | undefined,
      optional: mark === "?",
      oneof,
      replacedBy: replaced?.slice(1).split("/").filter(Boolean).map(camelCase),
    });
    next = Number(number) + 1;
  }
}
