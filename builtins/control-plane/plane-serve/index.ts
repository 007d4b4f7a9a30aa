// The program of the control plane: it serves until it is stopped, and answers whether it is alive and ready.
import { once } from 'node:events';
import * as Type from 'typebox';
import type { PluginManifest, Registry } from 'agent-harness/kernel';
import { messageOf } from 'agent-harness/lib/errors';
import type {} from 'agent-harness/builtins/control-plane/plane-database';
import type {} from 'agent-harness/builtins/control-plane/plane-keys';
import type {} from 'agent-harness/plugins/commands';
import type {} from 'agent-harness/plugins/http';
import type {} from 'agent-harness/plugins/storage';

export const manifest = {
  name: 'plane-serve',
  requires: ['database', 'planeKeys', 'http', 'product'],
  provides: ['planeSite'],
  config: Type.Object({
    port: Type.Integer({
      default: 3100,
      minimum: 0,
      maximum: 65_535,
      env: 'HUB_PORT',
      title: 'Port',
      description: 'The port that the control plane listens on; 0 takes a free one.',
      apply: 'restart',
    }),
    publicUrl: Type.String({
      default: '',
      env: 'HUB_PUBLIC_URL',
      title: 'Public address',
      description: 'Under which people and services reach the control plane, such as https://hub.example.org; left empty, where it listens.',
      apply: 'restart',
    }),
  }),
  errors: { NOT_READY: { message: 'The control plane is not ready: {why}', status: 503 } },
} as const satisfies PluginManifest;

export function register(registry: Registry<typeof manifest>): void {
  const { services, config } = registry;
  registry.provide('planeSite', () => ({
    url: () => (config.publicUrl || services.http.address()?.url || `http://127.0.0.1:${config.port}`).replace(/\/+$/, ''),
  }));
  registry.add('cli_command', {
    name: 'open',
    summary: 'Serves until it is stopped; what happens without a command.',
    options: { port: { type: 'string', description: 'Instead of HUB_PORT.' }, host: { type: 'string', description: 'The address to bind to.' } },
    async run({ options, signal }, output) {
      await services.database.ready();
      const { port, host } = options;
      const { url } = await services.http.listen({
        port: typeof port === 'string' ? Number(port) : config.port,
        ...(typeof host === 'string' ? { host } : {}),
      });
      try {
        output.out(`${services.product.title} is ready at ${url}\n`);
        if (!signal.aborted) await once(signal, 'abort');
      } finally {
        await services.http.close();
      }
      return 0;
    },
  });
  registry.add('cli_command', {
    name: 'key',
    summary: 'Prints the public key that services check licenses against.',
    async run(_, output) {
      output.out(await services.planeKeys.publicKey());
      return 0;
    },
  });
  const state = Type.Object({ ok: Type.Literal(true) }, { additionalProperties: false });
  registry.add('route', {
    key: 'GET /healthz',
    summary: 'Whether the process is alive.',
    tag: 'server',
    auth: 'open',
    schema: { reply: state },
    handle: () => ({ ok: true as const }),
  });
  registry.add('route', {
    key: 'GET /readyz',
    summary: 'Whether requests can be served: the database answers and has its tables.',
    tag: 'server',
    auth: 'open',
    schema: { reply: state },
    async handle() {
      await services.database.status().catch((fault: unknown) => {
        throw registry.error('NOT_READY', { why: messageOf(fault) });
      });
      return { ok: true as const };
    },
  });
}
