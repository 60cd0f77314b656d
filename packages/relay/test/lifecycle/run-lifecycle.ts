import { isRelayError } from "../../src/error.js";
import type { EnvironmentChanges, FurtherKey } from "../../src/options/options.js";
import { createRelay, type Relay } from "../../src/relay.js";
import { createManualClock } from "../../src/testing/manual-clock.js";
import { type FakeResponse, send } from "./fake-exchange.js";
import { lasting, Model, type ModelKey } from "./model.js";
import { createRandom } from "./random.js";
import { type Answer, ScriptedUpstream } from "./scripted-upstream.js";

const names = ["a", "b", "c"] as const;
const filterNames = ["web", "app"] as const;
const answers: readonly Answer[] = ["data", "silent", "refuse", "fail"];
/** None of them falls together with anything else that is scheduled. */
const overlapsMs = [0, 3_003, 60_007, 3_600_011, 2_592_000_013];
const stepsMs = [500, 1000, 5000, 30_000, 600_000, 3_600_000];

interface OpenStream {
  readonly key: ModelKey;
  readonly filter: string;
  readonly environment: string;
  readonly res: FakeResponse;
}

/** Lets a relay and the model live through the same random life; gives what was different, with the steps before. */
export class LifecycleRun {
  readonly #random;
  readonly #clock = createManualClock();
  readonly #model = new Model(() => this.#clock.now());
  readonly #upstream = new ScriptedUpstream(this.#model);
  readonly #relay: Relay;
  readonly #steps: string[] = [];
  readonly #known: ModelKey[] = [];
  #streams: OpenStream[] = [];
  #keys = 0;

  constructor(seed: number) {
    this.#random = createRandom(seed);
    this.#relay = createRelay({ clock: this.#clock, random: () => 0, events: false });
  }

  async run(length: number): Promise<string | undefined> {
    const actions = [
      () => this.#add(),
      () => this.#add(),
      () => this.#remove(),
      () => this.#update(),
      () => this.#rotate(),
      () => this.#rotate(),
      () => this.#answer(),
      () => this.#answer(),
      () => this.#deliver(),
      () => this.#drop(),
      () => this.#openStream(),
      () => this.#pass(),
      () => this.#pass(),
    ];
    for (let step = 0; step < length; step++) {
      this.#random.pick(actions)?.();
      await turn();
      const difference = await this.#difference();
      if (difference !== undefined) return this.#report(difference);
    }
    return this.#converge();
  }

  /** When every key works again, each environment is fed by its newest key alone; and after the end by none. */
  async #converge(): Promise<string | undefined> {
    for (const { value } of this.#known) this.#upstream.answer(value, "data");
    this.#clock.advance(700_000);
    for (const { value } of this.#known) this.#upstream.deliver(value);
    this.#model.passTime();
    const newest = [...this.#model.environments].flatMap(([name, { sdkKey, variants }]) =>
      [...variants.keys()].map((filter) => `${filter === "" ? name : `${name}/${filter}`} ${sdkKey}`),
    );
    const fed = this.#upstream.connections();
    if (String(fed) !== String(newest.sort())) return this.#report(`at last fed by ${fed}, not by ${newest}`);
    const closing = this.#relay.close({ within: 1000 });
    this.#model.closed = true;
    this.#clock.advance(1000);
    await closing;
    const difference = await this.#difference();
    if (difference !== undefined) return this.#report(`after the end: ${difference}`);
    return this.#clock.pending === 0 ? this.#afterwards() : this.#report("timers are left");
  }

  async #afterwards(): Promise<string | undefined> {
    const { environments } = this.#relay;
    const calls = [
      () => environments.add("late", { sdkKey: "sdk-late" }),
      () => environments.update("a", {}),
      () => environments.remove("a"),
      async () => environments.rotateKey("a", {}),
    ];
    for (const call of calls) {
      const code = await call().then(
        () => "nothing",
        (error: unknown) => (isRelayError(error) ? error.code : String(error)),
      );
      if (code !== "closed") return this.#report(`after the end a call gives ${code}`);
    }
    return undefined;
  }

  #note(step: string): void {
    this.#steps.push(step);
  }

  #report(difference: string): string {
    return [...this.#steps, difference, ...this.#model.mistakes].join("\n");
  }

  #newKey(kind: ModelKey["kind"]): ModelKey {
    const key = lasting(kind, `${kind}-${++this.#keys}`);
    this.#known.push(key);
    return key;
  }

  #filters(): string[] {
    return filterNames.filter(() => this.#random.below(3) === 0);
  }

  #environment(): string | undefined {
    return this.#random.pick([...this.#model.environments.keys()]);
  }

  #add(): void {
    const name = this.#random.pick(names.filter((one) => !this.#model.environments.has(one)));
    if (name === undefined) return;
    const [sdkKey, mobileKey, envId] = [
      this.#newKey("sdkKey"),
      this.#newKey("mobileKey"),
      this.#newKey("envId"),
    ];
    this.#upstream.answer(sdkKey.value, this.#random.pick(answers) ?? "data");
    const filters = this.#filters();
    this.#note(`add ${name} ${sdkKey.value} [${filters}]`);
    this.#model.add(name, [sdkKey, mobileKey, envId], filters);
    void this.#relay.environments.add(name, {
      sdkKey: sdkKey.value,
      mobileKey: mobileKey.value,
      envId: envId.value,
      filters,
      source: this.#upstream.source(name),
    });
  }

  #remove(): void {
    const name = this.#environment();
    if (name === undefined) return;
    this.#note(`remove ${name}`);
    this.#model.remove(name);
    void this.#relay.environments.remove(name);
  }

  #rotate(): void {
    const name = this.#environment();
    if (name === undefined) return;
    const { keys, variants } = this.#model.environment(name);
    const kind = this.#random.below(3) === 0 ? "mobileKey" : "sdkKey";
    const own = keys.filter((key) => key.kind === kind);
    // Sometimes back to a key that is still accepted.
    const next = this.#random.below(3) === 0 ? this.#random.pick(own) : undefined;
    const to = next ?? this.#newKey(kind);
    if (next === undefined) this.#upstream.answer(to.value, this.#random.pick(answers) ?? "data");
    const overlap = this.#random.pick(overlapsMs) ?? 0;
    this.#note(`rotate ${name} ${to.value} overlap ${overlap}`);
    const [present] = own;
    const expires = this.#clock.now() + overlap;
    const others = keys.filter((key) => key.value !== to.value && key !== present);
    const replaced =
      present === undefined || present.value === to.value
        ? []
        : [{ ...present, expires, replaced: true } as const];
    const filters = [...variants.keys()].filter((filter) => filter !== "");
    this.#model.change(name, [lasting(kind, to.value), ...others, ...replaced], filters);
    this.#relay.environments.rotateKey(name, { [kind]: to.value }, { overlap });
  }

  #update(): void {
    const name = this.#environment();
    if (name === undefined) return;
    const { keys, variants } = this.#model.environment(name);
    const filters = this.#random.below(2) === 0 ? this.#filters() : undefined;
    const kind = this.#random.below(2) === 0 ? "sdkKey" : "mobileKey";
    const overlap = this.#random.pick(overlapsMs) ?? 0;
    const further: ModelKey[] =
      this.#random.below(2) === 0
        ? [this.#newKey(kind), { ...this.#newKey(kind), expires: this.#clock.now() + overlap }]
        : [];
    const listed = further.map(({ value: key, expires }): string | FurtherKey =>
      expires === Number.POSITIVE_INFINITY ? key : { key, expires },
    );
    const changes: EnvironmentChanges = {
      ttl: this.#random.below(1000),
      ...(filters === undefined ? {} : { filters }),
      ...(kind === "sdkKey" ? { furtherSdkKeys: listed } : { furtherMobileKeys: listed }),
    };
    this.#note(`update ${name} ${JSON.stringify(changes)}`);
    const first = keys.find((key) => key.kind === kind);
    const kept = keys.filter((key) => key === first || key.kind !== kind || key.replaced);
    const present = [...variants.keys()].filter((filter) => filter !== "");
    this.#model.change(name, [...kept, ...further], filters ?? present);
    void this.#relay.environments.update(name, changes);
  }

  #sdkKey(): string | undefined {
    return this.#random.pick(this.#known.filter(({ kind }) => kind === "sdkKey"))?.value;
  }

  #answer(): void {
    const key = this.#sdkKey();
    const answer = this.#random.pick(answers);
    if (key === undefined || answer === undefined) return;
    this.#note(`upstream answers ${key} with ${answer}`);
    this.#upstream.answer(key, answer);
  }

  #deliver(): void {
    const key = this.#sdkKey();
    if (key === undefined) return;
    this.#note(`upstream delivers to ${key}`);
    this.#upstream.deliver(key);
  }

  #drop(): void {
    const key = this.#sdkKey();
    if (key === undefined) return;
    this.#note(`upstream drops ${key}`);
    this.#upstream.drop(key);
  }

  #pass(): void {
    const ms = this.#random.pick(stepsMs) ?? 0;
    this.#note(`${ms} ms pass`);
    this.#clock.advance(ms);
    this.#model.passTime();
  }

  #openStream(): void {
    const environment = this.#environment();
    if (environment === undefined) return;
    const { keys, variants } = this.#model.environment(environment);
    const key = this.#random.pick(keys);
    const filter = this.#random.pick([...variants.keys()]) ?? "";
    if (key === undefined) return;
    this.#note(`open a stream of ${environment}/${filter} with ${key.value}`);
    const path = { sdkKey: "/all", mobileKey: "/mping", envId: `/ping/${key.value}` }[key.kind];
    const res = this.#send(key, path, filter);
    if (res.statusCode === 200) this.#streams.push({ key, filter, environment, res });
  }

  #send({ kind, value }: ModelKey, path: string, filter: string): FakeResponse {
    const url = filter === "" ? path : `${path}?filter=${filter}`;
    return send(this.#relay.handler, url, kind === "envId" ? undefined : value);
  }

  async #difference(): Promise<string | undefined> {
    if (this.#model.mistakes.length > 0) return "upstream saw a mistake";
    const [connections, expected] = [this.#upstream.connections(), this.#model.connections()];
    if (String(connections) !== String(expected)) return `connections ${connections}, not ${expected}`;
    return (await this.#wrongAnswer()) ?? this.#wrongStream();
  }

  /** A request with one of the latest keys, which may be known, expired, replaced or removed. */
  #ask(): { readonly key: ModelKey; readonly filter: string; readonly res: FakeResponse } | undefined {
    const key = this.#random.pick(this.#known.slice(-15));
    const filter = this.#random.pick(["", ...filterNames]) ?? "";
    if (key === undefined) return undefined;
    const path = {
      sdkKey: "/sdk/flags",
      mobileKey: "/msdk/evalx/users/eyJrZXkiOiJhIn0",
      envId: `/sdk/evalx/${key.value}/users/eyJrZXkiOiJhIn0`,
    }[key.kind];
    return { key, filter, res: this.#send(key, path, filter) };
  }

  async #wrongAnswer(): Promise<string | undefined> {
    const asked = Array.from({ length: 12 }, () => this.#ask()).filter((one) => one !== undefined);
    await turn();
    for (const { key, filter, res } of asked) {
      const { status, version } = this.#model.answer(key.kind, key.value, filter);
      const polled = key.kind === "sdkKey";
      const served = polled && res.statusCode === 200 ? Number(JSON.parse(res.body).f.version) : undefined;
      if (res.statusCode !== status || (polled && served !== version))
        return `${key.value}?filter=${filter} gets ${res.statusCode} ${served}, not ${status} ${version}`;
    }
    return undefined;
  }

  #wrongStream(): string | undefined {
    for (const { key, filter, environment, res } of this.#streams) {
      const owner = this.#model.environments.get(environment);
      const known = owner?.keys.some(({ kind, value }) => kind === key.kind && value === key.value) ?? false;
      const stays = known && owner?.variants.has(filter) === true && !this.#model.closed;
      if (res.writableEnded === stays) return `a stream with ${key.value} ${stays ? "has ended" : "goes on"}`;
    }
    this.#streams = this.#streams.filter(({ res }) => !res.writableEnded);
    return undefined;
  }
}

function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
