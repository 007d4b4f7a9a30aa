// Registers the server of the control plane: serves until it is stopped, and reports liveness, readiness and metrics.
import * as Type from 'typebox';
import { normalizeSite } from '#lib/setting-texts';
import type { Emitter, PluginManifest, Registry } from 'agent-harness/kernel';
import { messageOf } from '#lib/errors';
import { isLoopback } from '#lib/hosts';
import { isSameSecret } from '#lib/hash';
import type {} from 'agent-harness/builtins/control-plane/plane-database';
import type {} from 'agent-harness/builtins/control-plane/plane-keys';
import type {} from 'agent-harness/builtins/control-plane/plane-signals';
import type {} from 'agent-harness/plugins/commands';
import type {} from 'agent-harness/plugins/http';
import type {} from 'agent-harness/plugins/storage';
import { createChecks } from './checks.ts';
import { clientAddress, readNetworks } from './client-address.ts';
import { createCommands } from './commands.ts';
import { createMetrics } from './metrics.ts';
import { createNodes, nodeMigration } from './nodes.ts';
import { healthChecks } from './health-checks.ts';
import { watchProcess } from './process-metrics.ts';
import type { PlaneOperator, PlaneSite, StartNote } from './contract.ts';
import { createRoutes, scraperId } from './routes.ts';

export const manifest = {
  name: 'plane-serve',
  requires: ['database', 'planeKeys', 'signals', 'http', 'product', 'storage', 'kernel'],
  provides: ['planeSite'],
  config: Type.Object({
    port: Type.Integer({
      default: 3100,
      minimum: 0,
      maximum: 65_535,
      env: 'HUB_PORT',
      mustFit: true,
      title: 'Port',
      description: 'Port on which the control plane listens; 0 selects a free one.',
      apply: 'restart',
    }),
    publicUrl: Type.String({
      default: '',
      env: 'HUB_PUBLIC_URL',
      mustFit: true,
      normalize: normalizeSite,
      title: 'Public address',
      description:
        'Address at which people and services reach the control plane, such as https://hub.example.org; default: the listen address. If it is set, the forwarding headers of a proxy on this machine are trusted.',
      apply: 'restart',
    }),
    trustedProxies: Type.String({
      default: '',
      env: 'HUB_TRUSTED_PROXIES',
      title: 'Trusted proxies',
      description: 'Comma-separated addresses and networks of proxies on other machines, such as 10.0.0.0/8. Their forwarding headers are trusted.',
      apply: 'restart',
    }),
    metricsToken: Type.String({
      default: '',
      env: 'HUB_METRICS_TOKEN',
      secret: true,
      title: 'Metrics token',
      description:
        'Token of at least 16 characters that a scraper sends as `Authorization: Bearer`. If empty, only programs on this machine can read the metrics, and none if HUB_PUBLIC_URL is set.',
      apply: 'restart',
    }),
  }),
  errors: {
    NOT_OPERATOR: { message: 'Only the organisation that operates this control plane can read its status.', status: 403 },
    NOT_READY: { message: 'The control plane is not ready, because these checks failed: {missing}. See its log for the reasons.', status: 503 },
    METRICS_CLOSED: { message: 'Only programs on the same machine, or with HUB_METRICS_TOKEN as bearer token, can read the metrics.', status: 403 },
    PROXIES: { message: "HUB_TRUSTED_PROXIES contains '{part}', which is not an address or a network such as 10.0.0.0/8." },
  },
} as const satisfies PluginManifest;

/** Minimum length of the metrics token in characters. */
const minTokenLength = 16;

export function register(registry: Registry<typeof manifest>, emitter: Emitter): void {
  const { services, config, log } = registry;
  const { networks, fault } = readNetworks(config.trustedProxies);
  const isPublic = (): boolean => config.publicUrl !== '' && !(URL.canParse(config.publicUrl) && isLoopback(new URL(config.publicUrl).hostname));
  const siteAt = (serving: string | undefined): string => (config.publicUrl || serving || `http://127.0.0.1:${config.port}`).replace(/\/+$/, '');
  const clientOf: PlaneSite['clientOf'] = (context) => clientAddress(context, { isBehindProxy: config.publicUrl !== '', networks });
  registry.provide('planeSite', () => ({ url: () => siteAt(services.http.address()?.url), clientOf }));
  registry.add('client_address', { name: 'proxy', read: clientOf });

  const nodes = createNodes(services.database, { id: services.storage.createId('node'), version: services.product.version }, (why) =>
    log.warn(`the heartbeat of this node failed: ${messageOf(why)}`),
  );
  registry.add('migration', nodeMigration);
  emitter.tap('app.start', () => nodes.begin());
  registry.defer(() => nodes.end(), 'heartbeat');
  const checks = createChecks();
  registry.point('plane_check', checks.handler);
  for (const check of healthChecks({ services, nodes, publicUrl: () => config.publicUrl })) registry.add('plane_check', check);
  const metrics = createMetrics();
  registry.point('plane_metric', metrics.handler);
  const watch = watchProcess(services.product.version, () => services.http.address()?.port);
  registry.defer(() => watch.dispose(), 'process metrics');
  for (const metric of watch.metrics) registry.add('plane_metric', metric);

  if (config.metricsToken !== '' && config.metricsToken.length < minTokenLength)
    log.warn('HUB_METRICS_TOKEN is ignored, because it has fewer than 16 characters.');
  registry.add('token_source', {
    name: 'metrics',
    isSetUp: () => false,
    identify: (token) =>
      config.metricsToken.length >= minTokenLength && isSameSecret(token, config.metricsToken)
        ? { kind: 'service', id: scraperId, role: 'viewer', areas: ['metrics'] }
        : undefined,
  });
  const operators = new Set<PlaneOperator>();
  registry.point<'plane_operator'>('plane_operator', { added: (one) => void operators.add(one), removed: (one) => void operators.delete(one) });
  const routes = createRoutes({
    operators,
    services,
    nodes,
    checks,
    writeMetrics: () => metrics.write((name, why) => log.warn(`the metric ${name} could not be read: ${messageOf(why)}`)),
    isBehindProxy: isPublic,
    makeError: registry.error.bind(registry),
    warn: (message) => log.warn(message),
  });
  for (const route of routes) registry.add('route', route);
  const check = (): void => {
    if (fault !== undefined) throw registry.error('PROXIES', { part: fault });
  };
  const startNotes = new Set<StartNote>();
  registry.point<'start_note'>('start_note', { added: (note) => void startNotes.add(note), removed: (note) => void startNotes.delete(note) });
  const notes = async (): Promise<string[]> => {
    const lines: string[] = [];
    for (const note of startNotes) {
      try {
        lines.push(...[(await note.read()) ?? []].flat());
      } catch (why) {
        log.warn(`the start note '${note.name}' could not be read: ${messageOf(why)}`);
      }
    }
    return lines;
  };
  for (const command of createCommands({ services, port: () => config.port, siteAt, check, checks, notes })) registry.add('cli_command', command);
}
