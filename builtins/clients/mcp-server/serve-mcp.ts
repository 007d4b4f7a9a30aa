// The command `mcp`: from its first line of input to the last.
import { createClient } from 'agent-harness/client';
import type { CliOutput } from 'agent-harness/plugins/commands';
import { createAgentServer } from './agent-server.ts';
import { noticeLists } from './list-notices.ts';
import { createLineTransport } from './line-transport.ts';
import { findRunningServer, startOwnServer, type OwnServer } from 'agent-harness/lib/running-server';
import type { KernelError } from 'agent-harness/kernel';
import type { Http, WebToken } from 'agent-harness/plugins/http';
import type { Product } from 'agent-harness/plugins/storage';

/** Answers the exit code. */
export async function serveMcp(parts: ServerParts, signal: AbortSignal, output: CliOutput): Promise<number> {
  const { product } = parts.services;
  const reached = await reachServer(parts);
  // What plugins print here is no part of the protocol.
  const own = output.claim?.();
  const client = createClient({ origin: reached.url, token: reached.token });
  try {
    await client.start();
    const server = createAgentServer(client, product, parts.served);
    const ended = new Promise<void>((resolve) => {
      server.onclose = resolve;
      signal.addEventListener('abort', () => resolve(), { once: true });
      if (signal.aborted) resolve();
    });
    await server.connect(createLineTransport({ lines: () => output.lines(), out: (text) => (own ?? output).out(text) }));
    const leave = noticeLists(server, client);
    await ended;
    leave();
    await server.close();
    return 0;
  } finally {
    own?.release();
    client.close();
    await reached.leave(signal);
  }
}

/** Rejects with `MCP_SERVER_ERR_TOKEN_REFUSED` when one runs that does not know our token. */
async function reachServer({ services, makeError }: ServerParts): Promise<OwnServer> {
  const running = await findRunningServer(services, (url) => makeError('TOKEN_REFUSED', { url, home: services.product.home }));
  return running ? { ...running, leave: () => Promise.resolve() } : startOwnServer(services);
}

/** What the files of this plugin work with. */
interface ServerParts {
  readonly services: { readonly product: Product; readonly http: Http; readonly webToken: WebToken };
  /** Which of the agent's own tools: `shown`, `all`, `none`, or names and families with commas. */
  readonly served: string;
  makeError(reason: 'TOKEN_REFUSED', details: Readonly<Record<string, unknown>>): KernelError;
}
