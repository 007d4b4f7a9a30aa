// The command `mcp`: from its first line of input to the last.
import { createClient } from 'agent-harness/client';
import type { CliOutput } from 'agent-harness/plugins/commands';
import { createAgentServer } from './agent-server.ts';
import { createLineTransport } from './line-transport.ts';
import { reachServer } from './reach-server.ts';
import type { ServerParts } from './server-parts.ts';

/** Answers the exit code. */
export async function serveMcp(parts: ServerParts, signal: AbortSignal, output: CliOutput): Promise<number> {
  const { product } = parts.services;
  const reached = await reachServer(parts);
  const client = createClient({ origin: reached.url, token: reached.token });
  try {
    await client.start();
    const server = createAgentServer(client, product, parts.served);
    const ended = new Promise<void>((resolve) => {
      server.onclose = resolve;
      signal.addEventListener('abort', () => resolve(), { once: true });
      if (signal.aborted) resolve();
    });
    await server.connect(createLineTransport(output));
    await ended;
    await server.close();
    return 0;
  } finally {
    client.close();
    await reached.leave(signal);
  }
}
