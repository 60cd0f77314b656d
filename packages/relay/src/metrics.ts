import { createHistogram } from "./histogram.js";

/** What can be counted. Names and label values form closed sets, so that no client can make them grow. */
export type CounterName =
  | "requests"
  | "requests_rejected"
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

/** What is spread over a range. */
export type HistogramName = "request_seconds";

/** Labels of a measurement: the environment's name and words of this package, never text of a request. */
export type MetricLabels = Readonly<Record<string, string>>;

/** Receives measurements as they happen; `openTelemetrySink` makes one of a meter of OpenTelemetry. */
export interface MetricsSink {
  count(name: CounterName, amount: number, labels: MetricLabels): void;
  gauge(name: GaugeName, value: number, labels: MetricLabels): void;
  /** Receives one value of a histogram. */
  observe?(name: HistogramName, value: number, labels: MetricLabels): void;
}

/** One measured thing, looked up once and used often. */
export interface Instrument {
  /** Adds to a counter or to the present value of a gauge; puts a value into a histogram. */
  add(amount: number): void;
}

/** Measurements that are kept for the text endpoint and passed on to the host's sink. */
export interface Instruments {
  counter(name: CounterName, labels: MetricLabels): Instrument;
  gauge(name: GaugeName, labels: MetricLabels): Instrument;
  histogram(name: HistogramName, labels: MetricLabels): Instrument;
}

/**
 * The measurements of one environment, which end with it. Another may have the same name afterwards. Histograms are those
 * of the relay as a whole: one for each environment would be hundreds of lines.
 */
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
  readonly type: "counter" | "gauge" | "histogram";
  value: number;
  /** The lines of the text format. */
  print(): string;
}

/** Creates the measurements of one relay. */
export function createMetrics(sink?: MetricsSink): Metrics {
  const own = createInstruments(sink);
  /** By environment; one that takes the name of another which is still closing takes its place in what is printed. */
  const scopes = new Map<string, typeof own>();
  const forgotten = new WeakSet<typeof own>();
  return {
    ...own,
    forEnvironment(environment) {
      const scope = createInstruments(sink, { environment });
      const before = scopes.get(environment);
      scopes.set(environment, scope);
      return {
        ...scope,
        histogram: own.histogram,
        forget() {
          forgotten.add(scope);
          scope.zero();
          if (scopes.get(environment) !== scope) return;
          // One that could not take the place of another leaves it.
          if (before !== undefined && !forgotten.has(before)) scopes.set(environment, before);
          else scopes.delete(environment);
        },
      };
    },
    print: () => printAll([own, ...scopes.values()].flatMap(({ series }) => [...series.values()])),
  };
}

function createInstruments(sink: MetricsSink | undefined, shared: MetricLabels = {}) {
  const series = new Map<string, Series>();
  let over = false;

  /** `head` is what a line of the text format begins with; it is printed once, and kept. */
  function find(head: string, create: (head: string) => Series): Series {
    const known = series.get(head);
    if (known !== undefined) return known;
    const created = create(head);
    series.set(head, created);
    return created;
  }

  function counter(name: CounterName, own: MetricLabels): Instrument {
    const labels = { ...shared, ...own };
    return find(headOf(`${name}_total`, labels), (head) => ({
      name: `${name}_total`,
      type: "counter",
      value: 0,
      print() {
        return line(head, this.value);
      },
      add(amount) {
        this.value += amount;
        sink?.count(name, amount, labels);
      },
    }));
  }

  function gauge(name: GaugeName, own: MetricLabels): Instrument {
    const labels = { ...shared, ...own };
    return find(headOf(name, labels), (head) => ({
      name,
      type: "gauge",
      value: 0,
      print() {
        return line(head, this.value);
      },
      add(amount) {
        if (over) return;
        this.value += amount;
        sink?.gauge(name, this.value, labels);
      },
    }));
  }

  function histogram(name: HistogramName, own: MetricLabels): Instrument {
    const labels = { ...shared, ...own };
    return find(headOf(name, labels), () => {
      const values = createHistogram();
      return {
        name,
        type: "histogram",
        value: 0,
        print: () =>
          values
            .buckets()
            .map(({ upTo, count }) => line(headOf(`${name}_bucket`, { ...labels, le: upTo }), count))
            .join("") +
          line(headOf(`${name}_sum`, labels), values.sum) +
          line(headOf(`${name}_count`, labels), values.count),
        add(value) {
          values.add(value);
          sink?.observe?.(name, value, labels);
        },
      };
    });
  }

  function zero(): void {
    for (const one of series.values()) if (one.type === "gauge" && one.value !== 0) one.add(-one.value);
    over = true;
  }

  return { series, counter, gauge, histogram, zero };
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
    for (const one of list) text += one.print();
  }
  return text;
}

function line(head: string, value: number): string {
  return `${head} ${value}\n`;
}

function headOf(name: string, labels: MetricLabels): string {
  const parts = Object.entries(labels).map(
    ([name, value]) =>
      `${name}="${value.replaceAll("\\", "\\\\").replaceAll('"', '\\"').replaceAll("\n", "\\n")}"`,
  );
  return `wye_relay_${name}${parts.length === 0 ? "" : `{${parts.join(",")}}`}`;
}
