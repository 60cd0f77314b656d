import type { MetricsSink } from "@wye/relay";

/** What the SDKs do at present, as the relay measures it. */
export interface Traffic {
  /** Open streams. */
  readonly streams: number;
  /** Events that were taken since the start. */
  readonly events: number;
}

/** Keeps the measurements that the page shows. */
export function createTraffic(): { readonly sink: MetricsSink; now(): Traffic } {
  const streams = new Map<string, number>();
  let events = 0;
  return {
    sink: {
      count(name, amount) {
        if (name === "events_accepted") events += amount;
      },
      gauge(name, value, labels) {
        if (name === "open_streams") streams.set(JSON.stringify(labels), value);
      },
    },
    now: () => ({ streams: [...streams.values()].reduce((sum, value) => sum + value, 0), events }),
  };
}
