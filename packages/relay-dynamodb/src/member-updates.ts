import type { AttributeValue, TransactWriteItem } from "@aws-sdk/client-dynamodb";
import type { BigSegmentPatch } from "@wye/relay";

/** What happens to one list of a context. */
type Verb = "ADD" | "DELETE";

/**
 * The rows that a step of a big segment changes, each once: a transaction takes no row twice. What is added and removed in
 * one step is removed.
 */
export function memberUpdates(
  table: string,
  users: AttributeValue,
  { segmentId, included, excluded }: Pick<BigSegmentPatch, "segmentId" | "included" | "excluded">,
): readonly TransactWriteItem[] {
  const verbs = new Map<string, Map<string, Verb>>();
  const note = (hashes: readonly string[], list: string, verb: Verb) => {
    for (const hash of hashes) verbs.set(hash, (verbs.get(hash) ?? new Map<string, Verb>()).set(list, verb));
  };
  note(included.add, "included", "ADD");
  note(excluded.add, "excluded", "ADD");
  note(included.remove, "included", "DELETE");
  note(excluded.remove, "excluded", "DELETE");
  return [...verbs].map(([hash, lists]) => ({
    Update: {
      TableName: table,
      Key: { namespace: users, key: { S: hash } },
      UpdateExpression: (["ADD", "DELETE"] as const).flatMap((verb) => clauseOf(verb, lists)).join(" "),
      ExpressionAttributeValues: { ":segment": { SS: [segmentId] } },
    },
  }));
}

function clauseOf(verb: Verb, lists: ReadonlyMap<string, Verb>): readonly string[] {
  const changed = [...lists].filter(([, one]) => one === verb).map(([list]) => `${list} :segment`);
  return changed.length === 0 ? [] : [`${verb} ${changed.join(", ")}`];
}
