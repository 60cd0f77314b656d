import { createHash } from "node:crypto";
import type { AttributeValue, TransactWriteItem } from "@aws-sdk/client-dynamodb";
import { type BatchLimits, type BigSegmentPatch, batchesOf, RelayError } from "@wye/relay";
import { memberUpdates } from "./member-updates.js";
import { openTable, type RowKey } from "./table.js";
import { type Guard, type UpdateContext, writeUpdates } from "./write-updates.js";

/** Where the members of one environment are kept. */
export interface MemberPlace extends UpdateContext {
  /** The row that says how far they are. */
  readonly metadata: RowKey;
  /** What their rows are under. */
  readonly users: AttributeValue;
}

/** What DynamoDB takes at once; one place is for the row of metadata. Updates are small. */
const transactionLimits: BatchLimits<TransactWriteItem> = {
  count: 99,
  bytes: Number.POSITIVE_INFINITY,
  sizeOf: () => 0,
};

/**
 * Takes a step, if it begins where the members stand, and tells whether it did. A step may be larger than a transaction: it is taken in
 * pieces, and the version moves at last. Until then the row of metadata says how many pieces of which step are there: where the table was emptied
 * or brought back to what it was, that is less than was written, and the step fails. Taking it again is no harm.
 */
export async function takeStep(
  place: MemberPlace,
  patch: BigSegmentPatch,
  signal: AbortSignal,
): Promise<boolean> {
  const { previousVersion, version } = patch;
  const name = { S: nameOf(patch) };
  const begins = previousVersion === "" ? "attribute_not_exists(lastVersion)" : "lastVersion = :before";
  const before = previousVersion === "" ? {} : { ":before": { S: previousVersion } };
  let pieces = 0;
  /** How many pieces there are at least, if others take the same step and are ahead. */
  let others = 0;

  function guardOf(condition: string, known: Values, change?: string, values: Values = {}): Guard {
    const where = { TableName: place.table, Key: { ...place.metadata } };
    const ConditionExpression = condition === "" ? begins : `${begins} AND ${condition}`;
    const checked = { ...before, ...known };
    const valued = (all: Values) =>
      Object.keys(all).length === 0 ? {} : { ExpressionAttributeValues: { ...all } };
    const check = { ConditionCheck: { ...where, ConditionExpression, ...valued(checked) } };
    if (change === undefined) return { check, last: check };
    const update = { UpdateExpression: change, ...valued({ ...checked, ...values }) };
    return { check, last: { Update: { ...where, ConditionExpression, ...update } } };
  }

  /** Notes one piece more, or lets the note of others be. */
  function guardOfPiece(): Guard {
    const known = { ":name": name, ":count": { N: String(pieces) } };
    if (pieces < others) return guardOf("taking = :name AND taken > :count", known);
    const note = "SET taking = :name, taken = :next";
    const next = { ":next": { N: String(pieces + 1) } };
    if (pieces > 0) return guardOf("taking = :name AND taken = :count", known, note, next);
    const isAnother = "(attribute_not_exists(taking) OR taking <> :name)";
    return guardOf(isAnother, { ":name": name }, note, next);
  }

  function guardOfVersion(): Guard {
    const change = ["SET lastVersion = :after REMOVE taking, taken", { ":after": { S: version } }] as const;
    if (pieces === 0) return guardOf("", {}, ...change);
    const known = { ":name": name, ":count": { N: String(pieces) } };
    return guardOf("taking = :name AND taken >= :count", known, ...change);
  }

  /** How many pieces are there; `undefined` if the members stand elsewhere by now. */
  async function found(): Promise<number | undefined> {
    const row = await openTable(place.ask, place.table).get({ ...place.metadata }, signal);
    const { lastVersion, taking, taken } = row ?? {};
    const isThere = previousVersion === "" ? lastVersion === undefined : lastVersion?.S === previousVersion;
    if (!isThere) return undefined;
    return taking?.S === name.S ? Number(taken?.N) : 0;
  }

  for (const piece of batchesOf(memberUpdates(place.table, place.users, patch), transactionLimits)) {
    while (!(await writeUpdates(place, guardOfPiece(), piece, signal))) {
      const there = await found();
      if (there === undefined) return false;
      if (pieces < others || there <= pieces) throw partIsGone();
      others = there;
    }
    pieces++;
  }
  if (await writeUpdates(place, guardOfVersion(), [], signal)) return true;
  if ((await found()) === undefined) return false;
  throw partIsGone();
}

type Values = Readonly<Record<string, AttributeValue>>;

/** What tells a step from others that begin at the same version: whoever takes the same one, in the same pieces, calls it the same. */
function nameOf({ previousVersion, version, segmentId, included, excluded }: BigSegmentPatch): string {
  const lists = [included.add, included.remove, excluded.add, excluded.remove];
  const sizes = lists.map(({ length }) => length);
  const parts = [previousVersion, version, segmentId, sizes, transactionLimits.count];
  return createHash("sha1").update(JSON.stringify(parts)).digest("hex");
}

function partIsGone(): RelayError {
  return new RelayError("store_failed", "a part of a step that was taken is gone");
}
