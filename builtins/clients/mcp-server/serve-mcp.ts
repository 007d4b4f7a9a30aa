// Runs the command `mcp`, which serves one MCP client until its input ends.
import { createClient } from 'agent-harness/client';
import type { CliOutput } from 'agent-harness/plugins/commands';
import { createAgentServer } from './agent-server.ts';
import { noticeLists } from './list-notices.ts';
import { createLineTransport } from './line-transport.ts';
import { reachServer, type ServerParts } from './reach-server.ts';

/** Resolves with the exit code. */
export async function serveMcp(parts: ServerParts, signal: AbortSignal, output: CliOutput): Promise<number> {
  const { product } = parts.services;
  const reached = await reachServer(parts);
  // Output of plugins must not reach standard output, which carries the protocol.
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
