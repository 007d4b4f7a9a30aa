// Formats this node's metrics in the Prometheus text format.
import type { PointHandler } from 'agent-harness/kernel';
import { withLimit } from '#lib/async';
import type { MetricValue, PlaneMetric } from './contract.ts';

export interface Metrics {
  readonly handler: PointHandler<PlaneMetric>;
  /** Returns all metrics as text. @param onFault called with the name and error of a metric that could not be read */
  write(onFault: (name: string, fault: unknown) => void): Promise<string>;
}

const nameRule = /^plane_[a-z0-9]+(_[a-z0-9]+)*$/;
/** Timeout of a metric source in milliseconds. */
const timeoutMs = 2_000;

export function createMetrics(): Metrics {
  const metrics = new Map<string, PlaneMetric>();
  return {
    handler: {
      validate({ name, type }) {
        if (!nameRule.test(name)) return `the name of a metric must have the form 'plane_<what>_<unit>' in snake_case, not '${name}'.`;
        if ((type === 'counter') !== name.endsWith('_total')) return `'${name}': the name of a counter must end in '_total', and no other name may.`;
        return metrics.has(name) ? `a metric '${name}' already exists.` : undefined;
      },
      added: (metric) => void metrics.set(metric.name, metric),
      removed: ({ name }) => void metrics.delete(name),
    },
    async write(onFault) {
      const all = [...metrics.values()].sort((a, b) => (a.name < b.name ? -1 : 1));
      const texts = await Promise.all(
        all.map(async (metric) => {
          try {
            const late = (): never => {
              throw new Error(`it took longer than ${timeoutMs / 1000} s`);
            };
            return describe(
              metric,
              await withLimit(
                Promise.resolve().then(() => metric.read()),
                timeoutMs,
                late,
              ),
            );
          } catch (fault) {
            onFault(metric.name, fault);
            return '';
          }
        }),
      );
      return texts.join('');
    },
  };
}

function describe({ name, help, type }: PlaneMetric, read: number | readonly MetricValue[]): string {
  const values = typeof read === 'number' ? [{ labels: {}, value: read }] : read;
  const lines = values.map(({ labels, value }) => `${name}${describeLabels(labels)} ${value}\n`);
  return `# HELP ${name} ${help.replaceAll('\\', '\\\\').replaceAll('\n', '\\n')}\n# TYPE ${name} ${type}\n${lines.join('')}`;
}

function describeLabels(labels: MetricValue['labels']): string {
  const parts = Object.entries(labels).map(([name, value]) => `${name}="${value.replace(/[\\"\n]/g, (one) => (one === '\n' ? '\\n' : `\\${one}`))}"`);
  return parts.length === 0 ? '' : `{${parts.join(',')}}`;
}
