import type { AttributeValue, TransactWriteItem } from "@aws-sdk/client-dynamodb";
import type { BigSegmentPatch } from "@wye/relay";

/** What happens to the lists of a context, one bit each. */
const changes = { addIncluded: 1, addExcluded: 2, removeIncluded: 4, removeExcluded: 8 } as const;

/**
 * The rows that a step of a big segment changes, each once: a transaction takes no row twice. What is added and removed in
 * one step is removed. Each is made when it is asked for: a step may have millions.
 */
export function* memberUpdates(
  table: string,
  users: AttributeValue,
  { segmentId, included, excluded }: Pick<BigSegmentPatch, "segmentId" | "included" | "excluded">,
): Generator<TransactWriteItem, undefined, undefined> {
  const changed = new Map<string, number>();
  const note = (hashes: readonly string[], change: number) => {
    for (const hash of hashes) changed.set(hash, (changed.get(hash) ?? 0) | change);
  };
  note(included.add, changes.addIncluded);
  note(excluded.add, changes.addExcluded);
  note(included.remove, changes.removeIncluded);
  note(excluded.remove, changes.removeExcluded);
  const segment = { SS: [segmentId] };
  for (const [hash, change] of changed) {
    yield {
      Update: {
        TableName: table,
        Key: { namespace: users, key: { S: hash } },
        UpdateExpression: expressionOf(change),
        ExpressionAttributeValues: { ":segment": segment },
      },
    };
  }
  return undefined;
}

function expressionOf(change: number): string {
  const has = (one: number) => (change & one) !== 0;
  const removed = [
    ...(has(changes.removeIncluded) ? ["included"] : []),
    ...(has(changes.removeExcluded) ? ["excluded"] : []),
  ];
  const added = [
    ...(has(changes.addIncluded) ? ["included"] : []),
    ...(has(changes.addExcluded) ? ["excluded"] : []),
  ].filter((list) => !removed.includes(list));
  return [...clause("ADD", added), ...clause("DELETE", removed)].join(" ");
}

function clause(verb: "ADD" | "DELETE", lists: readonly string[]): readonly string[] {
  return lists.length === 0 ? [] : [`${verb} ${lists.map((list) => `${list} :segment`).join(", ")}`];
}
