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

const NAME = "florin_http_request_duration_seconds";

interface Series {
  labels: Record<string, string | number>;
  /** Answers within each bucket, not counting those of smaller buckets. */
  counts: number[];
  sumS: number;
}

/**
 * A histogram of answers by listener, route, status and code. The library's own sorts and hashes the
 * labels of every observation, which took as long as authenticating a request; here they meet a map.
 */
export class RequestMetrics {
  readonly #series = new Map<string, Series>();

  constructor(registry: Registry) {
    // All that a registry asks of a metric is a name and its values.
    registry.registerMetric({ name: NAME, get: () => this.#read() } as never);
  }

  observe(listener: string, route: string, status: number, code: string, durationMs: number): void {
    const key = `${listener} ${route} ${status} ${code}`;
    let series = this.#series.get(key);
    if (series === undefined) {
      const labels = { listener, route, status, code };
      series = { labels, counts: new Array(BUCKETS_S.length + 1).fill(0), sumS: 0 };
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
      name: NAME,
      help: "Time from a request's headers to its answer, by listener, route, HTTP status and responseCode.",
      type: HISTOGRAM,
      aggregator: "sum",
      values: [...this.#series.values()].flatMap(valuesOf),
    };
  }
}

function valuesOf({ labels, counts, sumS }: Series): MetricValueWithName<string>[] {
  let upTo = 0;
  const buckets = [...BUCKETS_S, "+Inf"].map((le, index) => {
    upTo += counts[index] as number;
    return { metricName: `${NAME}_bucket`, labels: { ...labels, le }, value: upTo };
  });
  return [
    ...buckets,
    { metricName: `${NAME}_sum`, labels, value: sumS },
    { metricName: `${NAME}_count`, labels, value: upTo },
  ];
}
