// Serves the health, status and metrics routes of the control plane for proxies, monitoring and scrapers.
import * as Type from 'typebox';
import type { KernelError, Services } from 'agent-harness/kernel';
import { isLoopback } from '#lib/hosts';
import type { Route, RouteContext } from 'agent-harness/plugins/http';
import type { Checks } from './checks.ts';
import type { PlaneOperator } from './contract.ts';
import type { Nodes } from './nodes.ts';

export interface RouteParts {
  readonly services: Pick<Services, 'database' | 'signals' | 'product'>;
  readonly nodes: Nodes;
  readonly checks: Checks;
  readonly operators: Iterable<PlaneOperator>;
  readonly writeMetrics: () => Promise<string>;
  /** Returns whether this node may be behind a proxy; a local peer address then proves nothing. */
  readonly isBehindProxy: () => boolean;
  readonly makeError: (reason: 'NOT_READY' | 'METRICS_CLOSED' | 'NOT_OPERATOR', details?: Readonly<Record<string, unknown>>) => KernelError;
  readonly warn: (message: string) => void;
}

/** Principal id of the token `HUB_METRICS_TOKEN`. */
export const scraperId = 'metrics';

const alive = Type.Object({ ok: Type.Literal(true) }, { additionalProperties: false });
const ready = Type.Object(
  { ok: Type.Literal(true), components: Type.Record(Type.String(), Type.Union([Type.Literal('fine'), Type.Literal('warning')])) },
  { additionalProperties: false },
);

const closed = { additionalProperties: false };
const status = Type.Object(
  {
    version: Type.String(),
    nodes: Type.Array(
      Type.Object(
        {
          nodeId: Type.String(),
          host: Type.String(),
          version: Type.String(),
          startedAt: Type.String(),
          seenAt: Type.String(),
          skewMs: Type.Integer(),
          isThis: Type.Boolean(),
        },
        closed,
      ),
    ),
    database: Type.Object({ kind: Type.String(), version: Type.String(), migrations: Type.Integer() }, closed),
    bus: Type.Object({ state: Type.String() }, closed),
    findings: Type.Array(Type.Object({ name: Type.String(), state: Type.String(), message: Type.String() }, closed)),
  },
  closed,
);

export function createRoutes({ services, nodes, checks, operators, writeMetrics, isBehindProxy, makeError, warn }: RouteParts): readonly Route[] {
  /** Returns whether the request comes from a local program that is not a proxy. */
  function isLocal({ peer, headers }: RouteContext): boolean {
    const forwarded = ['forwarded', 'via', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip'].some((name) => headers[name] !== undefined);
    return isLoopback(peer) && !forwarded && !isBehindProxy();
  }

  return [
    {
      key: 'GET /api/enterprise/self_host/status',
      summary: 'Returns the status of the control plane: version, nodes, database, bus and findings. Only for the organisation that operates it.',
      tag: 'self-host',
      permission: 'self_host.manage',
      entitlement: 'enterprise.self_host',
      schema: { reply: status },
      async handle({ principal }: RouteContext) {
        const found = await Promise.all([...operators].map((one) => one.includes(principal)));
        if (!found.includes(true)) throw makeError('NOT_OPERATOR');
        const [all, database, findings] = await Promise.all([nodes.list(), services.database.status(), checks.run('all')]);
        return {
          version: services.product.version,
          nodes: all.map(({ id, startedAt, seenAt, ...rest }) => ({
            ...rest,
            nodeId: id,
            startedAt: startedAt.toISOString(),
            seenAt: seenAt.toISOString(),
            isThis: id === nodes.ownId,
          })),
          database,
          bus: { state: services.signals.state() },
          findings: findings.map(({ name, state, message }) => ({ name, state, message })),
        };
      },
    },
    {
      key: 'GET /healthz',
      summary: 'Reports that the process is alive.',
      tag: 'server',
      auth: 'open',
      schema: { reply: alive },
      handle: () => ({ ok: true as const }),
    },
    {
      key: 'GET /readyz',
      summary: 'Reports whether requests can be served: runs the checks on which every request depends. Failures are logged.',
      tag: 'server',
      auth: 'open',
      schema: { reply: ready },
      async handle() {
        const found = await checks.run('needed');
        const missing = found.filter(({ state }) => state === 'failed');
        for (const { name, message } of missing) warn(`not ready, '${name}': ${message}`);
        if (missing.length > 0) throw makeError('NOT_READY', { missing: missing.map(({ name }) => name).join(', ') });
        return { ok: true as const, components: Object.fromEntries(found.map(({ name, state }) => [name, state as 'fine' | 'warning'])) };
      },
    },
    {
      key: 'GET /metrics',
      summary: 'Returns the metrics of this node in the Prometheus format. Only for programs on this machine, or with HUB_METRICS_TOKEN.',
      tag: 'server',
      auth: 'open',
      schema: {},
      mediaType: 'text/plain',
      async handle(context: RouteContext) {
        const { principal } = context;
        const isScraper = principal?.kind === 'service' && principal.id === scraperId;
        if (!isScraper && !isLocal(context)) throw makeError('METRICS_CLOSED');
        return { content: Buffer.from(await writeMetrics()), type: 'text/plain; version=0.0.4; charset=utf-8' };
      },
    },
  ];
}

declare module 'agent-harness/builtins/control-plane/plane-serve' {
  interface PlaneRoutes {
    'GET /api/enterprise/self_host/status': { reply: typeof status };
  }
}
