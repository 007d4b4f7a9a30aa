// Provides the web plugin in the minimal world of the tool tests, with a server that it may read.
import * as web from '../../../../builtins/tools/web/index.ts';
import type { ToolContext, ToolOutcome } from 'agent-harness/plugins/tools';
import { createWorld, type World } from '../../plugins/tools/fake-world.ts';
import { startFaultServer, type FaultServer } from './fault-server.ts';

export interface WebWorld {
  readonly server: FaultServer;
  readonly world: World;
  fetch(path: string, more?: { maxChars?: number; offset?: number }, context?: Partial<ToolContext>): Promise<ToolOutcome>;
  read(path: string, more?: { maxChars?: number; offset?: number }): Promise<string>;
  close(): Promise<void>;
}

/** Closed with the test; the caller closes a world of several tests. */
export async function openWeb(environment: Record<string, string> = {}): Promise<WebWorld> {
  const server = await startFaultServer();
  const world = await createWorld({ modules: { web } as never, environment: { AGENT_WEB_FETCH_ALLOWED_HOSTS: server.host, ...environment } });
  const fetch: WebWorld['fetch'] = (path, more = {}, context = {}) =>
    world.run('web_fetch', { url: path.includes('://') ? path : server.url + path, ...more }, context);
  return {
    server,
    world,
    fetch,
    async read(path, more) {
      const outcome = await fetch(path, more);
      if (!outcome.ok) throw new Error(`${outcome.error} (${outcome.hint ?? 'no hint'})`);
      return outcome.output;
    },
    async close() {
      await world.close();
      await server.close();
    },
  };
}

export async function readWhole(from: WebWorld, path: string): Promise<string> {
  let text = '';
  for (let offset = 0; ;) {
    const part = await from.read(path, { offset, maxChars: 40_000 });
    text += part.slice(part.indexOf('\n\n') + 2);
    const next = /next: offset (\d+)/.exec(part)?.[1];
    if (next === undefined) return text;
    offset = Number(next);
  }
}
