// A kernel with storage, processes, http and the plugins of a test, listening on a free port.
import { mkdtemp, rm } from 'node:fs/promises';
import { request as rawRequest, type Agent } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createKernel, loadPlugins, type Kernel, type PluginModule } from 'agent-harness/kernel';
import type { Route } from 'agent-harness/plugins/http';
import * as http from '../../../../plugins/http/index.ts';
import * as patterns from '../../../../plugins/patterns/index.ts';
import * as processes from '../../../../plugins/processes/index.ts';
import * as storage from '../../../../plugins/storage/index.ts';
import { configOf } from '../../../helpers/config-of.ts';
import { closeAfterTest } from '../../../helpers/close-after-test.ts';

export interface Answer {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
  readonly text: string;
  readonly body: any;
}

export interface Asked {
  readonly method?: string;
  readonly headers?: Record<string, string | string[]>;
  readonly body?: unknown;
  readonly raw?: string | Buffer;
  /** Sends the valid token; true by default. */
  readonly token?: boolean;
  readonly agent?: Agent;
}

export interface OpenHttp {
  readonly kernel: Kernel;
  readonly url: string;
  readonly port: number;
  readonly token: string;
  readonly home: string;
  readonly logs: string[];
  /** Also sends headers that `fetch` forbids (Host, Origin). */
  readonly ask: (path: string, asked?: Asked) => Promise<Answer>;
  close(): Promise<void>;
}

export interface OpenOptions {
  readonly environment?: Record<string, string>;
  readonly home?: string;
  readonly listen?: boolean;
}

export async function openHttp(modules: Record<string, PluginModule<any>> = {}, options: OpenOptions = {}): Promise<OpenHttp> {
  const home = options.home ?? (await mkdtemp(join(tmpdir(), 'http-home-')));
  const logs: string[] = [];
  const kernel = createKernel({
    config: configOf({ environment: { PORT: '0', ...options.environment } }),
    services: { product: { name: 'app', title: 'Test', version: '1.2.3', home, startFolder: home } },
    log: (level, plugin, message, fields) => void logs.push(`${level} ${plugin}: ${message} ${JSON.stringify(fields ?? {})}`),
  });
  await loadPlugins(kernel.registry, kernel.emitter, {
    sources: [
      { origin: 'platform', modules: { storage, processes, patterns, http } as unknown as Record<string, PluginModule<never>> },
      { origin: 'builtin', modules: modules as never },
    ],
  });
  const address = options.listen === false ? { url: '', port: 0 } : await kernel.resolve('http').listen();
  const token = options.listen === false ? '' : await kernel.resolve('webToken').current();
  const opened: OpenHttp = {
    kernel,
    ...address,
    token,
    home,
    logs,
    ask: (path, { method = 'GET', headers = {}, body, raw, token: sendsToken = true, agent } = {}) =>
      new Promise((resolve, reject) => {
        const content = raw ?? (body === undefined ? undefined : JSON.stringify(body));
        const all = {
          ...(sendsToken ? { authorization: `Bearer ${token}` } : {}),
          ...(body === undefined ? {} : { 'content-type': 'application/json' }),
          ...(content === undefined ? {} : { 'content-length': String(Buffer.byteLength(content)) }),
          ...headers,
        };
        const request = rawRequest({ host: '127.0.0.1', port: address.port, path, method, headers: all, agent: agent ?? false }, (response) => {
          const chunks: Buffer[] = [];
          response.on('data', (chunk: Buffer) => chunks.push(chunk));
          response.on('error', reject);
          response.on('end', () => {
            const text = Buffer.concat(chunks).toString();
            const isJson = String(response.headers['content-type']).startsWith('application/json');
            resolve({ status: response.statusCode ?? 0, headers: response.headers, text, body: isJson && text !== '' ? JSON.parse(text) : undefined });
          });
        });
        request.on('error', reject);
        request.end(content);
      }),
    async close() {
      await kernel.close();
      if (!options.home) await rm(home, { recursive: true, force: true });
    },
  };
  closeAfterTest(() => opened.close());
  return opened;
}

/** A plugin that only adds routes. */
export function routes(...list: (Partial<Route<any>> & Pick<Route, 'key' | 'handle'>)[]): PluginModule<any> {
  return {
    register(registry) {
      for (const route of list) registry.add('route', { summary: 'A route.', tag: 'test', schema: {}, ...route });
    },
  };
}
