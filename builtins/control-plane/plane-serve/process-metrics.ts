// Provides metrics of the control plane's process: requests, CPU, memory, event loop delay and uptime.
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import type { Server, ServerResponse } from 'node:http';
import type { Disposable } from 'agent-harness/kernel';
import type { PlaneMetric } from './contract.ts';

const finished = 'http.server.response.finish';

/** Starts the measurement. @param ownPort returns the port of the server whose requests are counted */
export function watchProcess(version: string, ownPort: () => number | undefined): Disposable & { readonly metrics: readonly PlaneMetric[] } {
  const delay = monitorEventLoopDelay({ resolution: 20 });
  delay.enable();
  const replies = new Map<string, number>();
  const count = (message: unknown): void => {
    const { response, server } = message as { readonly response: ServerResponse; readonly server: Server };
    const address = server.address();
    if (typeof address !== 'object' || address?.port !== ownPort()) return;
    const kind = `${Math.floor(response.statusCode / 100)}xx`;
    replies.set(kind, (replies.get(kind) ?? 0) + 1);
  };
  subscribe(finished, count);
  return {
    metrics: [
      { name: 'plane_build_info', help: 'The version of the program, as a label.', type: 'gauge', read: () => [{ labels: { version }, value: 1 }] },
      { name: 'plane_uptime_seconds', help: 'Time since the process started.', type: 'gauge', read: () => process.uptime() },
      { name: 'plane_memory_resident_bytes', help: 'Resident memory of the process.', type: 'gauge', read: () => process.memoryUsage.rss() },
      {
        name: 'plane_cpu_seconds_total',
        help: 'CPU time of the process.',
        type: 'counter',
        read: () => (process.cpuUsage().user + process.cpuUsage().system) / 1e6,
      },
      {
        name: 'plane_event_loop_delay_seconds',
        help: 'The 99th percentile of the event loop delay since the last scrape.',
        type: 'gauge',
        read() {
          const late = delay.percentile(99) / 1e9;
          delay.reset();
          return Number.isFinite(late) ? late : 0;
        },
      },
      {
        name: 'plane_http_replies_total',
        help: 'HTTP responses by status class.',
        type: 'counter',
        read: () => [...replies].map(([status, value]) => ({ labels: { status }, value })),
      },
    ],
    dispose() {
      delay.disable();
      unsubscribe(finished, count);
    },
  };
}
