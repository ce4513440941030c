import type {
  MetricObjectWithValues,
  MetricType,
  MetricValueWithName,
  Registry,
} from "prom-client";

/** Upper bounds, in seconds, of whatever Florin times. */
export const BUCKETS_S = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** The library declares an enum for it and ships none. */
const HISTOGRAM = "histogram" as unknown as MetricType.Histogram;

type Labels = Record<string, string | number>;

interface Series {
  labels: Labels;
  /** Answers within each bucket, not counting those of smaller buckets. */
  counts: number[];
  sumS: number;
}

/**
 * A histogram of durations. The library's own sorts and hashes the labels of every observation, which took
 * as long as authenticating a request; here they meet a map.
 */
export class SeriesHistogram {
  readonly #name: string;
  readonly #help: string;
  readonly #series = new Map<string, Series>();

  constructor(registry: Registry, name: string, help: string) {
    this.#name = name;
    this.#help = help;
    // All that a registry asks of a metric is a name and its values.
    registry.registerMetric({ name, get: () => this.#read() } as never);
  }

  /** `key` stands for the labels, which are asked for when it is new. */
  observe(key: string, labels: () => Labels, durationMs: number): void {
    let series = this.#series.get(key);
    if (series === undefined) {
      series = { labels: labels(), counts: new Array(BUCKETS_S.length + 1).fill(0), sumS: 0 };
      this.#series.set(key, series);
    }
    const durationS = durationMs / 1000;
    let bucket = 0;
    while (bucket < BUCKETS_S.length && durationS > (BUCKETS_S[bucket] as number)) bucket++;
    series.counts[bucket] = (series.counts[bucket] as number) + 1;
    series.sumS += durationS;
  }

  async #read(): Promise<Omit<MetricObjectWithValues<MetricValueWithName<string>>, "collect">> {
    return {
      name: this.#name,
      help: this.#help,
      type: HISTOGRAM,
      aggregator: "sum",
      values: [...this.#series.values()].flatMap((series) => valuesOf(this.#name, series)),
    };
  }
}

function valuesOf(name: string, { labels, counts, sumS }: Series): MetricValueWithName<string>[] {
  let upTo = 0;
  const buckets = [...BUCKETS_S, "+Inf"].map((le, index) => {
    upTo += counts[index] as number;
    return { metricName: `${name}_bucket`, labels: { ...labels, le }, value: upTo };
  });
  return [
    ...buckets,
    { metricName: `${name}_sum`, labels, value: sumS },
    { metricName: `${name}_count`, labels, value: upTo },
  ];
}
