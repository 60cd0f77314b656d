/** What can be counted. Names and label values form closed sets, so that no client can make them grow. */
export type CounterName =
  | "requests"
  | "streams_opened"
  | "streams_dropped"
  | "upstream_errors"
  | "updates"
  | "events_accepted"
  | "events_dropped"
  | "events_delivered"
  | "event_posts_failed";

/** What has a present value. */
export type GaugeName = "open_streams" | "queued_events";

/** Labels of a measurement: the environment's name and words of this package, never text of a request. */
export type MetricLabels = Readonly<Record<string, string>>;

/** Receives measurements as they happen. An OpenTelemetry meter is adapted in a few lines. */
export interface MetricsSink {
  count(name: CounterName, amount: number, labels: MetricLabels): void;
  gauge(name: GaugeName, value: number, labels: MetricLabels): void;
}

/** One measured thing, looked up once and used often. */
export interface Instrument {
  /** Adds to a counter, or to the present value of a gauge. */
  add(amount: number): void;
}

/** Measurements that are kept for the text endpoint and passed on to the host's sink. */
export interface Instruments {
  counter(name: CounterName, labels: MetricLabels): Instrument;
  gauge(name: GaugeName, labels: MetricLabels): Instrument;
}

/** The measurements of one environment, which end with it. Another may have the same name afterwards. */
export interface EnvironmentInstruments extends Instruments {
  /** They are no longer printed, and gauges go to zero; what is still counted is passed on to the host. */
  forget(): void;
}

/** Measurements of a relay. */
export interface Metrics extends Instruments {
  /** Measurements that have the label `environment` and are forgotten together. */
  forEnvironment(environment: string): EnvironmentInstruments;
  /** All values in the text format of Prometheus. */
  print(): string;
}

interface Series extends Instrument {
  readonly name: string;
  readonly type: "counter" | "gauge";
  readonly labels: MetricLabels;
  value: number;
}

/** Creates the measurements of one relay. */
export function createMetrics(sink?: MetricsSink): Metrics {
  const own = createInstruments(sink);
  const all = new Set([own]);
  return {
    ...own,
    forEnvironment(environment) {
      const scope = createInstruments(sink, { environment });
      all.add(scope);
      return {
        ...scope,
        forget() {
          all.delete(scope);
          scope.zero();
        },
      };
    },
    print: () => printAll([...all].flatMap(({ series }) => [...series.values()])),
  };
}

function createInstruments(sink: MetricsSink | undefined, shared: MetricLabels = {}) {
  const series = new Map<string, Series>();
  let over = false;

  function find(key: string, create: () => Series): Series {
    const known = series.get(key);
    if (known !== undefined) return known;
    const created = create();
    series.set(key, created);
    return created;
  }

  function counter(name: CounterName, own: MetricLabels): Instrument {
    const labels = { ...shared, ...own };
    return find(`${name}_total${printLabels(labels)}`, () => ({
      name: `${name}_total`,
      type: "counter",
      labels,
      value: 0,
      add(amount) {
        this.value += amount;
        sink?.count(name, amount, labels);
      },
    }));
  }

  function gauge(name: GaugeName, own: MetricLabels): Instrument {
    const labels = { ...shared, ...own };
    return find(`${name}${printLabels(labels)}`, () => ({
      name,
      type: "gauge",
      labels,
      value: 0,
      add(amount) {
        if (over) return;
        this.value += amount;
        sink?.gauge(name, this.value, labels);
      },
    }));
  }

  function zero(): void {
    for (const one of series.values()) if (one.type === "gauge" && one.value !== 0) one.add(-one.value);
    over = true;
  }

  return { series, counter, gauge, zero };
}

function printAll(all: Iterable<Series>): string {
  const byName = new Map<string, Series[]>();
  for (const one of all) {
    const list = byName.get(one.name);
    if (list === undefined) byName.set(one.name, [one]);
    else list.push(one);
  }
  let text = "";
  for (const [name, list] of byName) {
    text += `# TYPE wye_relay_${name} ${list[0]?.type}\n`;
    for (const { labels, value } of list) text += `wye_relay_${name}${printLabels(labels)} ${value}\n`;
  }
  return text;
}

function printLabels(labels: MetricLabels): string {
  const parts = Object.entries(labels).map(
    ([name, value]) =>
      `${name}="${value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n")}"`,
  );
  return parts.length === 0 ? "" : `{${parts.join(",")}}`;
}
