// Starts a loopback API that records its requests, and builds test documents.
import type { IncomingHttpHeaders, ServerResponse } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { ToolOutcome } from 'agent-harness/plugins/tools';
import { startLocalServer } from '../../../helpers/local-server.ts';
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

/** Starts a server that returns `{"ok":true}` unless `answer` ends the response. Closed with the test; the caller closes an API of several tests. */
export async function startApi(answer?: (asked: Asked, response: ServerResponse) => void): Promise<LocalApi> {
  const asked: Asked[] = [];
  const { url, close } = await startLocalServer((request, response) => {
    void buffer(request).then((body) => {
      const one = { method: request.method ?? '', url: request.url ?? '', headers: request.headers, body: body.toString('latin1') };
      asked.push(one);
      answer?.(one, response);
      if (!answer) response.writeHead(200, { 'content-type': 'application/json' }).end('{"ok":true}');
    });
  });
  return { url, asked, close };
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
