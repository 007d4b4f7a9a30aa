// Starts a loopback API that records its requests, and builds test documents.
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { ToolOutcome } from 'agent-harness/plugins/tools';
import { root } from '../../../helpers/sources.ts';
import { startHarness, type Harness, type HarnessOptions } from '../../../helpers/harness.ts';
import { runTool } from '../../../helpers/run-tool.ts';

export interface Asked {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface LocalApi {
  readonly url: string;
  readonly asked: Asked[];
  close(): Promise<void>;
}

/** Starts a server that returns `{"ok":true}` unless `answer` ends the response. The caller closes it. */
export async function startApi(answer?: (asked: Asked, response: ServerResponse) => void): Promise<LocalApi> {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const one = { method: request.method ?? '', url: request.url ?? '', headers: request.headers, body: Buffer.concat(chunks).toString('latin1') };
      asked.push(one);
      answer?.(one, response);
      if (!answer) response.writeHead(200, { 'content-type': 'application/json' }).end('{"ok":true}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    async close() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

export function fixture(name: 'github' | 'kubernetes'): Record<string, any> {
  return JSON.parse(gunzipSync(readFileSync(join(root, 'test/fixtures/openapi', `${name}.json.gz`))).toString('utf8'));
}

export const startOpenapi = (options: HarnessOptions = {}): Promise<Harness> => startHarness({ builtins: ['files', 'openapi'], ...options });

export const documentWith = (paths: object, rest: object = {}): Record<string, unknown> => ({
  openapi: '3.1.0',
  info: { title: 'Test', version: '1' },
  paths,
  ...rest,
});

export const connect = (harness: Harness, body: object): ReturnType<Harness['call']> =>
  harness.call('POST', '/api/integrations/openapi', { name: 'api', ...body });

/** Validates and runs a tool as the turn loop does and approves its request. */
export function run(harness: Harness, name: string, args: object = {}, chatId?: string, callId?: string): Promise<ToolOutcome> {
  return runTool(harness.kernel, name, args, {
    workspaceRoot: harness.workspace,
    ...(chatId === undefined ? {} : { chatId }),
    ...(callId === undefined ? {} : { callId }),
  });
}
