import { describeType, type Fields, isFields, member } from "../json.js";

/** Something in an item that cannot be read. */
export interface ItemProblem {
  /** JSON pointer within the item. */
  readonly path: string;
  readonly message: string;
}

/**
 * Reads members of parsed JSON by their expected type. Missing members and null are absent; members of another type are
 * noted with their place, and absent as well.
 */
export class ItemReader {
  readonly problems: ItemProblem[] = [];
  readonly #path: (string | number)[] = [];

  boolean(fields: Fields, name: string): boolean {
    const value = member(fields, name);
    if (typeof value === "boolean") return value;
    this.#unexpected(value, name, "true or false");
    return false;
  }

  string(fields: Fields, name: string): string | undefined {
    const value = member(fields, name);
    if (typeof value === "string") return value;
    this.#unexpected(value, name, "a string");
    return undefined;
  }

  number(fields: Fields, name: string): number | undefined {
    const value = member(fields, name);
    if (typeof value === "number" && Number.isFinite(value)) return value;
    this.#unexpected(value, name, "a number");
    return undefined;
  }

  /** A number without its fraction. */
  integer(fields: Fields, name: string): number | undefined {
    const value = this.number(fields, name);
    return value === undefined ? undefined : Math.trunc(value);
  }

  object<T>(fields: Fields, name: string, read: (fields: Fields) => T): T | undefined {
    const value = member(fields, name);
    if (isFields(value)) return this.#within(name, () => read(value));
    this.#unexpected(value, name, "an object");
    return undefined;
  }

  /** An array of values of any type. */
  values(fields: Fields, name: string): readonly unknown[] {
    const value = member(fields, name);
    if (Array.isArray(value)) return value;
    this.#unexpected(value, name, "an array");
    return [];
  }

  strings(fields: Fields, name: string): readonly string[] {
    const values = this.values(fields, name);
    if (values.every((value) => typeof value === "string")) return values;
    return this.#within(name, () => values.filter((value, i): value is string => this.#isString(value, i)));
  }

  /** An array of objects. */
  list<T>(fields: Fields, name: string, read: (fields: Fields) => T): readonly T[] {
    const values = this.values(fields, name);
    if (values.length === 0) return [];
    const found: T[] = [];
    this.#path.push(name);
    for (let i = 0; i < values.length; i++) {
      const value = values[i];
      if (isFields(value)) {
        this.#path.push(i);
        found.push(read(value));
        this.#path.pop();
      } else this.note(`expected an object, got ${describeType(value)}`, i);
    }
    this.#path.pop();
    return found;
  }

  /** Notes a problem with what is being read, or with a member of it. */
  note(message: string, ...names: readonly (string | number)[]): void {
    // The names are those of the protocol, which have nothing to escape.
    const steps = [...this.#path, ...names].map((step) => `/${step}`);
    this.problems.push({ path: steps.join(""), message });
  }

  #isString(value: unknown, index: number): boolean {
    if (typeof value === "string") return true;
    this.note(`expected a string, got ${describeType(value)}`, index);
    return false;
  }

  #unexpected(value: unknown, name: string, expected: string): void {
    if (value !== undefined && value !== null)
      this.note(`expected ${expected}, got ${describeType(value)}`, name);
  }

  #within<T>(step: string | number, read: () => T): T {
    this.#path.push(step);
    const result = read();
    this.#path.pop();
    return result;
  }
}
