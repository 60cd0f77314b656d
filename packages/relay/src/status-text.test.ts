import { expect, onTestFinished, test, vi } from "vitest";
import { type StatusOfConfiguration, type StatusOfEnvironment, statusDocument } from "./status-document.js";
import { createStatusText } from "./status-text.js";

/** An environment of which everything can be changed. */
function environment(name: string) {
  return {
    name,
    keys: { sdkKey: `sdk-${name}-0123456789`, further: [] } as StatusOfEnvironment["keys"],
    settings: { about: {} as StatusOfEnvironment["settings"]["about"] },
    relayOptions: {
      disconnectedStatusMs: 60_000,
      bigSegments: { staleThresholdMs: 1000, staleAsDegraded: true },
    },
    sources: {
      status: { state: "VALID", stateSince: 1 } as StatusOfEnvironment["sources"]["status"],
      lostMs: 0,
      everDelivered: true,
      knownSdkKey: undefined as StatusOfEnvironment["sources"]["knownSdkKey"],
    },
    store: {
      status: { state: "VALID", stateSince: 1 } as StatusOfEnvironment["store"]["status"],
      about: undefined as StatusOfEnvironment["store"]["about"],
    },
    bigSegments: undefined as StatusOfEnvironment["bigSegments"],
    problem: undefined as StatusOfEnvironment["problem"],
  };
}
type Changeable = ReturnType<typeof environment>;

const members = (rest: object) => ({
  status: () => ({ available: true, potentiallyStale: false, lastSynchronizedOn: 1, ...rest }),
});

/** One change after the other, each of something else that the document says. */
const changes: Record<string, (one: Changeable) => void> = {
  "a key": (one) => {
    one.keys = { ...one.keys, mobileKey: "mob-0123456789" };
  },
  "an expiring key": (one) => {
    one.keys = { ...one.keys, further: [{ kind: "sdkKey", value: "sdk-old-0123456789", expires: 5 }] };
  },
  "what it is called": (one) => {
    one.settings = { about: { envName: "Production" } };
  },
  "that nothing was ever delivered": (one) => {
    one.sources.everDelivered = false;
  },
  "the connection": (one) => {
    one.sources.status = { state: "INTERRUPTED", stateSince: 2 };
    one.sources.everDelivered = true;
  },
  "the key with which upstream is asked": (one) => {
    one.sources.knownSdkKey = "sdk-former-0123456789";
  },
  "the length of a failure": (one) => {
    one.sources.lostMs = 60_000;
  },
  "the store": (one) => {
    one.store.status = { state: "INTERRUPTED", stateSince: 2 };
  },
  "where the store is": (one) => {
    one.store.about = { database: "redis", dbServer: "one" };
  },
  "that there are big segments": (one) => {
    one.bigSegments = members({});
  },
  "that they cannot be read": (one) => {
    one.bigSegments = members({ available: false });
  },
  "that they are old": (one) => {
    one.bigSegments = members({ potentiallyStale: true });
  },
  "when they were synchronised": (one) => {
    one.bigSegments = members({ lastSynchronizedOn: 7 });
  },
  "why it is not as it should be": (one) => {
    one.problem = "a store cannot be made";
  },
};

test("the text says what the document says, after each change of anything", () => {
  const all = [environment("b"), environment("a")];
  const configuration: { -readonly [K in keyof StatusOfConfiguration]: StatusOfConfiguration[K] } = {
    configured: true,
    status: { state: "VALID", stateSince: 1 },
  };
  const text = createStatusText(() => all, configuration);
  const seen = new Set<string>();
  const look = (what: string) => {
    // Other objects with the same parts, of which nothing is known yet.
    const anew = all.map((one) => ({ ...one }));
    expect(text(), what).toBe(JSON.stringify(statusDocument(anew, configuration)));
    expect(text(), what).toBe(text());
    expect(seen.has(text()), `${what} is not seen`).toBe(false);
    seen.add(text());
  };
  look("nothing");
  for (const one of all) {
    for (const [what, change] of Object.entries(changes)) {
      change(one);
      look(`${one.name}: ${what}`);
    }
  }
  configuration.status = { state: "OFF", stateSince: 2 };
  look("the source of the configuration");
  all.push(environment("c"));
  look("another environment");
  all.shift();
  look("one less");
});

test("the text says that it is known now which environments there are", () => {
  const status = { state: "VALID", stateSince: 1 } as const;
  const configuration = { configured: false, status };
  const all = [environment("a")];
  const text = createStatusText(() => all, configuration);
  const healthOf = () => JSON.parse(text()).status;
  expect(healthOf()).toBe("degraded");
  configuration.configured = true;
  expect(healthOf()).toBe("healthy");
});

test("as long as nothing is another one nothing is printed anew", () => {
  const all = [environment("a")];
  const text = createStatusText(() => all, undefined);
  const first = text();
  const print = vi.spyOn(JSON, "stringify");
  onTestFinished(() => print.mockRestore());
  expect([text(), text(), print.mock.calls.length]).toEqual([first, first, 0]);
  all.push(environment("b"));
  text();
  text();
  expect(print).toHaveBeenCalledTimes(1);
});

test("what a host does with a document that it was given does not come back", () => {
  const all = [environment("a")];
  const text = createStatusText(() => all, undefined);
  const before = text();
  Object.assign(statusDocument(all).environments.a ?? {}, { sdkKey: "changed" });
  all.push(environment("b"));
  text();
  all.pop();
  expect(text()).toBe(before);
});
