import { isDeepStrictEqual } from "node:util";
import {
  type AttributeValue,
  ConditionalCheckFailedException,
  DynamoDBClient,
  DynamoDBServiceException,
  TransactionCanceledException,
  type TransactWriteItem,
} from "@aws-sdk/client-dynamodb";
import type { Row } from "../src/table.js";
import { localConnection } from "./test-database.js";

/** One table in this process, in no time: it reads the expressions that the stores write, and knows transactions. */
export interface MemoryTable {
  readonly client: DynamoDBClient;
  /** What is in it. */
  rows(): readonly Row[];
  /** Puts these rows in place of all. */
  fill(rows: readonly Row[]): void;
  /** What came so far, by the names of the commands, without `Command`. */
  readonly commands: string[];
}

interface Write {
  readonly Item?: Row | undefined;
  readonly Key?: Row | undefined;
  readonly UpdateExpression?: string | undefined;
  readonly ConditionExpression?: string | undefined;
  readonly ExpressionAttributeNames?: Readonly<Record<string, string>> | undefined;
  readonly ExpressionAttributeValues?: Readonly<Record<string, AttributeValue>> | undefined;
  readonly ExclusiveStartKey?: Row | undefined;
  readonly RequestItems?: Readonly<Record<string, readonly BatchWrite[]>> | undefined;
  readonly TransactItems?: readonly TransactWriteItem[] | undefined;
}

interface BatchWrite {
  readonly PutRequest?: { readonly Item: Row };
  readonly DeleteRequest?: { readonly Key: Row };
}

/** Makes one. A query gives a page of so many rows. */
export function createMemoryTable({ pageSize = 100 }: { readonly pageSize?: number } = {}): MemoryTable {
  let kept = new Map<string, Row>();
  const commands: string[] = [];

  const placeOf = ({ namespace, key }: Row) => JSON.stringify([namespace?.S, key?.S]);
  const at = (key: Row = {}) => kept.get(placeOf(key));

  function change({ Item, Key = Item, ...expressions }: Write): void {
    const found = at(Key);
    if (!holds(expressions, found))
      throw new ConditionalCheckFailedException({
        message: "The conditional request failed",
        $metadata: {},
        ...(found === undefined ? {} : { Item: { ...found } }),
      });
    if (Item !== undefined) kept.set(placeOf(Item), Item);
    else if (expressions.UpdateExpression !== undefined)
      kept.set(placeOf(Key ?? {}), updated(found ?? Key ?? {}, expressions));
  }

  function query({ ExpressionAttributeValues = {}, ExclusiveStartKey }: Write) {
    const namespace = ExpressionAttributeValues[":namespace"]?.S;
    const all = [...kept.values()]
      .filter((row) => row.namespace?.S === namespace)
      .sort((a, b) => Buffer.compare(Buffer.from(a.key?.S ?? ""), Buffer.from(b.key?.S ?? "")));
    const start =
      ExclusiveStartKey === undefined ? 0 : 1 + all.findIndex((row) => isAt(row, ExclusiveStartKey));
    const Items = all.slice(start, start + pageSize);
    const { namespace: name, key } = Items.at(-1) ?? {};
    return start + pageSize < all.length ? { Items, LastEvaluatedKey: { namespace: name, key } } : { Items };
  }

  function transact(steps: readonly TransactWriteItem[]): void {
    const before = new Map(kept);
    const places = steps.map(({ Update, ConditionCheck }) =>
      placeOf(Update?.Key ?? ConditionCheck?.Key ?? {}),
    );
    if (new Set(places).size < places.length || steps.length > 100) throw invalid("too many, or one twice");
    for (const { Update, ConditionCheck } of steps) {
      try {
        change(Update ?? ConditionCheck ?? {});
      } catch (error) {
        kept = before;
        if (!(error instanceof ConditionalCheckFailedException)) throw error;
        const CancellationReasons = [{ Code: "ConditionalCheckFailed" }];
        throw new TransactionCanceledException({ message: "cancelled", $metadata: {}, CancellationReasons });
      }
    }
  }

  function answer(name: string, input: Write): object {
    if (name === "GetItem") return { Item: at(input.Key) };
    if (name === "Query") return query(input);
    if (name === "Scan") return { Items: [...kept.values()] };
    if (name === "TransactWriteItems") transact(input.TransactItems ?? []);
    else if (name === "BatchWriteItem") {
      const writes = Object.values(input.RequestItems ?? {}).flat();
      if (writes.length > 25) throw invalid("too many");
      for (const { PutRequest, DeleteRequest } of writes) {
        if (PutRequest !== undefined) change(PutRequest);
        else kept.delete(placeOf(DeleteRequest?.Key ?? {}));
      }
    } else if (name === "DeleteItem") kept.delete(placeOf(input.Key ?? {}));
    else change(input);
    return {};
  }

  const overridden: Pick<DynamoDBClient, "send"> = {
    async send(command: { readonly input: Write }) {
      const name = command.constructor.name.replace(/Command$/, "");
      commands.push(name);
      return { $metadata: {}, ...answer(name, command.input) };
    },
  };
  return {
    client: Object.assign(new DynamoDBClient(localConnection(1)), overridden),
    rows: () => [...kept.values()],
    fill(rows) {
      kept = new Map(rows.map((row) => [placeOf(row), row]));
    },
    commands,
  };
}

const isAt = (row: Row, key: Row) => row.key?.S === key.key?.S;

function invalid(message: string): Error {
  return new DynamoDBServiceException({
    name: "ValidationException",
    message,
    $fault: "client",
    $metadata: {},
  });
}

/** Whether a row, or its absence, meets a condition: comparisons with AND and OR between, and parentheses. */
function holds({ ConditionExpression: condition, ...expressions }: Write, row: Row | undefined): boolean {
  if (condition === undefined) return true;
  const parenthesis = /(?<!\w)\(((?:[^()]|\([^()]*\))*)\)/.exec(condition);
  if (parenthesis !== null) {
    const inner = holds({ ...expressions, ConditionExpression: parenthesis[1] ?? "" }, row);
    return holds(
      { ...expressions, ConditionExpression: condition.replace(parenthesis[0], String(inner)) },
      row,
    );
  }
  for (const [word, every] of [
    [" OR ", false],
    [" AND ", true],
  ] as const) {
    const parts = condition.split(word);
    if (parts.length === 1) continue;
    const outcomes = parts.map((part) => holds({ ...expressions, ConditionExpression: part }, row));
    return every ? outcomes.every(Boolean) : outcomes.some(Boolean);
  }
  return compares(condition, expressions, row);
}

function compares(condition: string, expressions: Write, row: Row | undefined): boolean {
  if (condition === "true" || condition === "false") return condition === "true";
  const { ExpressionAttributeNames: names = {}, ExpressionAttributeValues: values = {} } = expressions;
  const attribute = (name = "") => row?.[name.startsWith("#") ? (names[name] ?? "?") : name];
  const absent = /^attribute_not_exists\((\S+)\)$/.exec(condition);
  if (absent !== null) return attribute(absent[1]) === undefined;
  const [, name, operator = "", value = ""] = /^(\S+) (=|<>|<|>|>=) (:\w+)$/.exec(condition) ?? [];
  const [found, wanted] = [attribute(name), values[value]];
  if (wanted === undefined) throw invalid(`there is no value for ${condition}`);
  if (operator === "<>") return !isDeepStrictEqual(found, wanted);
  if (found === undefined) return false;
  if (operator === "=") return isDeepStrictEqual(found, wanted);
  if (found.N === undefined || wanted.N === undefined) return false;
  const [a, b] = [Number(found.N), Number(wanted.N)];
  return operator === "<" ? a < b : operator === ">" ? a > b : a >= b;
}

/** A row as an update leaves it: SET, REMOVE, ADD to sets and DELETE from them. */
function updated(row: Row, { UpdateExpression = "", ExpressionAttributeValues: values = {} }: Write): Row {
  const next: Record<string, AttributeValue> = { ...row };
  for (const [, verb, list = ""] of UpdateExpression.matchAll(
    /(SET|REMOVE|ADD|DELETE) (.*?)(?= [A-Z]+ |$)/g,
  )) {
    for (const part of list.split(", ")) {
      const [name = "", word = ""] = part.split(/ = | /);
      const value = values[word];
      const texts = new Set(next[name]?.SS);
      if (verb !== "REMOVE" && value === undefined) throw invalid(`there is no value for ${part}`);
      if (verb === "SET" && value !== undefined) next[name] = value;
      if (verb === "REMOVE") delete next[name];
      for (const text of value?.SS ?? []) verb === "ADD" ? texts.add(text) : texts.delete(text);
      if (verb === "ADD" || verb === "DELETE") {
        if (texts.size > 0) next[name] = { SS: [...texts] };
        else delete next[name];
      }
    }
  }
  return next;
}
