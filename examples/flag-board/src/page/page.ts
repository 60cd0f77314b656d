import { createClient, type LDEvaluationDetail, type LDLogger } from "@launchdarkly/js-client-sdk";
import { byId } from "@wye-examples/page-parts/elements";
import type { Board } from "../board-api.js";
import { demoKeys } from "../demo-keys.js";
import { boardClient } from "./board-client.js";
import { createChangeLog } from "./change-log.js";
import { createEditQueue, type EditQueue } from "./edit-queue.js";
import { createFlagCard, type FlagCard } from "./flag-card.js";
import { createShop } from "./shop.js";
import { createStatusPanel } from "./status-panel.js";
import { label } from "./value-label.js";
import { createValueList } from "./value-list.js";
import { createVisitorForm, type Visitor } from "./visitor-form.js";

const cards = byId("flags", HTMLElement);
const log = createChangeLog(byId("log", HTMLElement));
const values = createValueList(byId("values", HTMLElement));
const status = createStatusPanel();
const queues = new Map<string, EditQueue>();
const showOnCard = new Map<string, FlagCard["showValue"]>();
const form = createVisitorForm((visitor) => void identify(visitor));
let board: Board;

// The relay is beside the page, wherever both are mounted.
const base = new URL(".", location.href).href.replace(/\/$/, "");
const client = createClient(demoKeys.envId, form.visitor, {
  baseUri: base,
  streamUri: base,
  eventsUri: base,
  streaming: true,
  withReasons: true,
  // Nothing of this page is kept in the browser.
  disableCache: true,
  flushInterval: 2,
  logger: sdkLogger(),
});
const shop = createShop((how) => {
  client.track("bought", { how });
  void client.flush().then(refresh);
});

/** What the SDK has to complain about goes to the reader. */
function sdkLogger(): LDLogger {
  const tell = (...words: unknown[]): void => log.add(`The SDK says: ${words.join(" ")}`);
  return { debug() {}, info() {}, warn: tell, error: tell };
}

/** When an edit of a flag was sent, until the SDK has heard of it. */
const sent = new Map<string, number>();
/** The last values that were shown. */
const known = new Map<string, string>();
let identifying = false;
let started = false;

function detailOf(key: string): LDEvaluationDetail | undefined {
  return key in client.allFlags() ? client.variationDetail(key, null) : undefined;
}

/** The value for the shop, which goes on with a fallback when a flag is missing or was given values of another type. */
function valueOr<Value>(key: string, fallback: Value): Value {
  const value: unknown = detailOf(key)?.value;
  // Of the same type, as the condition says.
  return typeof value === typeof fallback ? (value as Value) : fallback;
}

/** Draws everything that depends on values, and tells what is new. */
function showValues(keys: readonly string[], cause: "edit" | "visitor" | "start"): void {
  const changed = keys.filter((key) => {
    const detail = detailOf(key);
    const next = detail === undefined ? "nothing" : label(detail.value);
    const before = known.get(key) ?? "nothing";
    known.set(key, next);
    if (cause === "start") return false;
    if (cause === "edit") tellEdit(key, before, next);
    else if (before !== next) log.add(`${key}: ${before} → ${next}`);
    return before !== next;
  });
  shop.show({
    banner: valueOr<string>("banner", ""),
    buttonColour: valueOr<string>("button-colour", "plain"),
    expressCheckout: valueOr<boolean>("express-checkout", false),
    freeDeliveryFrom: valueOr<number>("free-delivery-from", 50),
  });
  for (const [key, value] of known) showOnCard.get(key)?.(form.visitor.key, value);
  values.show(allKeys(), detailOf, changed);
  values.explain(board.flags, { ...form.visitor });
}

/** After this time nobody waits any more: the SDK does not hear of edits of flags that browsers do not see. */
const longestWaitMs = 10_000;

function tellEdit(key: string, before: string, next: string): void {
  const took = performance.now() - (sent.get(key) ?? Number.NEGATIVE_INFINITY);
  sent.delete(key);
  const what = before === next ? `still ${next} for this visitor` : `${before} → ${next}`;
  if (took > longestWaitMs) log.add(`${key}: ${what}, edited elsewhere`);
  else log.add(`${key}: ${what}`, took);
}

function allKeys(): string[] {
  return board.flags.map(({ key }) => key);
}

async function identify(visitor: Visitor): Promise<void> {
  identifying = true;
  log.add(`Now visiting: ${visitor.key}, plan ${visitor.plan}, country ${visitor.country}`);
  const result = await client.identify(visitor);
  if (result.status === "shed") return;
  identifying = false;
  showValues(allKeys(), "visitor");
}

/** Takes the flags as the server has them now. */
function take(next: Board): void {
  board = next;
  for (const flag of next.flags) {
    const queue = queues.get(flag.key);
    if (queue === undefined) addCard(flag.key);
    else queue.take(flag);
  }
  values.explain(next.flags, { ...form.visitor });
}

function addCard(key: string): void {
  const flag = board.flags.find((one) => one.key === key);
  if (flag === undefined) return;
  const card = createFlagCard(flag, (control, edit) => queue.add(control, edit));
  const queue = createEditQueue({
    flag,
    save(text, version) {
      sent.set(key, performance.now());
      return boardClient.save(key, text, version);
    },
    settled(now) {
      card.show(now);
      void refresh();
    },
    refused(refusal) {
      sent.delete(key);
      card.complain(refusal);
    },
  });
  queues.set(key, queue);
  showOnCard.set(key, card.showValue);
  cards.append(card.element);
}

let refreshing = false;
let outdated = false;

/** Asks for the flags, which others may have edited, and for the status; once more if something happened meanwhile. */
async function refresh(): Promise<void> {
  outdated = true;
  if (refreshing) return;
  refreshing = true;
  while (outdated) {
    outdated = false;
    try {
      const next = await boardClient.board();
      if (!outdated) take(next);
    } catch {
      // The status below says that nobody answers.
    }
    await status.refresh(board);
  }
  refreshing = false;
}

async function start(): Promise<void> {
  take(await boardClient.board());
  byId("reset", HTMLButtonElement).addEventListener("click", () => {
    for (const key of queues.keys()) sent.set(key, performance.now());
    void boardClient.reset().then(take).then(refresh, refresh);
  });
  client.on("change", (_context: unknown, keys: string[]) => {
    if (!started || identifying || keys.length === 0) return;
    showValues(keys, "edit");
    void refresh();
  });
  const { status: outcome } = await client.start();
  started = true;
  showValues(allKeys(), "start");
  log.add(outcome === "complete" ? "The SDK is connected" : "The SDK is not connected yet");
  document.documentElement.dataset.ready = outcome;
  await refresh();
  // The page has grown since the browser went to the place that the address names.
  document.getElementById(location.hash.slice(1))?.scrollIntoView();
  setInterval(() => void (document.visibilityState === "visible" && refresh()), 4000);
}

void start().catch((error: unknown) => log.add(`The board does not answer: ${String(error)}`));
