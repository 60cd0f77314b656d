import type { IncomingHttpHeaders } from "node:http";
import type { ResolvedEvents } from "../options/resolved-sections.js";
import type { SdkFamily } from "../sdk-family.js";
import { inTurns } from "../steps.js";
import { type EventArray, scanEvents } from "./event-array.js";
import { type FamilyDestination, FamilyForwarder, type ForwarderPort } from "./family-forwarder.js";

/** Passes the events of one environment on to upstream. Browsers, whom anyone can be, use up no room of servers. */
export class EventForwarder {
  readonly #port: ForwarderPort;
  readonly #settings: ResolvedEvents;
  readonly #families = new Map<SdkFamily, FamilyForwarder>();

  constructor(port: ForwarderPort, settings: ResolvedEvents) {
    this.#port = port;
    this.#settings = settings;
  }

  get maxBodyBytes(): number {
    return this.#settings.maxBodyBytes;
  }

  /** Looks at the body of an event post, in turns when it is large. */
  look(body: Buffer): EventArray | Promise<EventArray> {
    return inTurns(scanEvents(body, this.#settings.capacity));
  }

  /** Takes the body of an event post. What is not an array of events is dropped; what nests too deep is refused. */
  accept(
    family: SdkFamily,
    body: Buffer,
    found: EventArray,
    headers: IncomingHttpHeaders,
  ): "taken" | "too-deep" {
    return this.#family(family).accept(body, found, headers);
  }

  /** Takes the body of a diagnostic post and sends it on, with the headers that the SDK gave it. */
  forwardDiagnostic(family: SdkFamily, body: Buffer, headers: IncomingHttpHeaders): void {
    this.#family(family).forwardDiagnostic(body, headers);
  }

  /** Sends what is left and stops, at the latest when `deadline` resolves. */
  async close(deadline: Promise<void>): Promise<void> {
    const families = [...this.#families.values()];
    const givenUp = await Promise.all(families.map((family) => family.close(deadline)));
    const count = givenUp.reduce((sum, one) => sum + one, 0);
    if (count > 0)
      this.#port.logger.error(`events: ${count} could not be delivered before their environment was closed`);
  }

  #family(name: SdkFamily): FamilyForwarder {
    const known = this.#families.get(name);
    if (known !== undefined) return known;
    const created = new FamilyForwarder(this.#port, this.#settings, destinationOf(name, this.#port));
    this.#families.set(name, created);
    return created;
  }
}

function destinationOf(family: SdkFamily, port: ForwarderPort): FamilyDestination {
  const { events } = port.upstream;
  const destinations: Readonly<Record<SdkFamily, FamilyDestination>> = {
    server: {
      keys: () => port.sdkKeys(),
      mayStandIn: (key) => port.isOwnKey("sdkKey", key),
      request: (authorization) => ({ url: `${events}/bulk`, authorization }),
      diagnosticUrl: () => `${events}/diagnostic`,
    },
    mobile: {
      keys: () => port.mobileKeys(),
      mayStandIn: (key) => port.isOwnKey("mobileKey", key),
      request: (authorization) => ({ url: `${events}/mobile`, authorization }),
      diagnosticUrl: () => `${events}/mobile/events/diagnostic`,
    },
    browser: {
      keys: () => [port.envId()].filter((id) => id !== undefined),
      mayStandIn: () => true,
      request: (id) => ({ url: `${events}/events/bulk/${id}`, authorization: undefined }),
      diagnosticUrl: () => `${events}/events/diagnostic/${port.envId()}`,
    },
  };
  return destinations[family];
}
