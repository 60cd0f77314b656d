import { describeValue, inputParameter } from "@wye/pipeline-spec";
import type { ItemList } from "./item-lists.js";
import { isLiteral } from "./literals.js";
import { fitsKind, isBadInteger, kindOf } from "./parameter-kind.js";
import { quote } from "./quote.js";
import type { Finding } from "./rule.js";

/** What is wrong with lists of items, told once for each loop and place: a loop may go over many lists of one place. */
export function* wrongLists(
  lists: readonly ItemList[],
  wrong: (list: ItemList) => string | undefined,
): Generator<Finding & { readonly list: ItemList }> {
  const told = new Set<string>();
  for (const list of lists) {
    const place = `${list.path} ${list.at}`;
    const message = told.has(place) ? undefined : wrong(list);
    if (message === undefined) continue;
    told.add(place);
    yield { at: list.at, message, list };
  }
}

/** Says why a text is no list of items. */
export function notItems({ items, value, error, within }: ItemList): string | undefined {
  if (items !== undefined) return undefined;
  return error === undefined
    ? `the items${within} are ${describeValue(value)}, not a list`
    : `the items${within} are not JSON: ${error}`;
}

/** Says which item is not of the type of the input that receives it. */
export function wrongItem(list: ItemList): string | undefined {
  const kind = kindOf(declaredItem(list));
  // Everything can become text.
  if (kind === undefined || kind === "STRING") return undefined;
  const wrong = firstItem(list, (item) => !fitsKind(item, kind));
  return wrong && `${quote(list.itemInput)} is of type ${kind}, but ${wrong.name} is ${wrong.described}`;
}

/** Says which item is not one of the literals of the input that receives it. */
export function notLiteral(list: ItemList): string | undefined {
  const declared = declaredItem(list);
  if (declared === undefined || declared.literals.length === 0) return undefined;
  const kind = kindOf(declared);
  // One of another type is reported as such.
  const fits = (item: unknown) => kind === undefined || fitsKind(item, kind);
  const wrong = firstItem(list, (item) => fits(item) && !isLiteral(item, declared.literals));
  return wrong && `${wrong.name}, ${wrong.described}, is not one of the literals of ${quote(list.itemInput)}`;
}

/** Says which item is no whole number, where the input that receives it is one. */
export function wrongInteger(list: ItemList): string | undefined {
  if (kindOf(declaredItem(list)) !== "NUMBER_INTEGER") return undefined;
  const wrong = firstItem(list, isBadInteger);
  return wrong && `${wrong.name}, ${wrong.described}, is not an integer between -(2^53 - 1) and 2^53 - 1`;
}

/** The declaration of the input that receives the items. */
const declaredItem = ({ task, itemInput }: ItemList) =>
  task.component && inputParameter(task.component, itemInput);

function firstItem({ items = [], within }: ItemList, test: (item: unknown) => boolean) {
  const position = items.findIndex(test);
  if (position === -1) return undefined;
  return { name: `item ${position}${within}`, described: describeValue(items[position]) };
}
