// The server of this home folder: the one that runs, or one of our own for as long as it is needed.
import { findRunningServer, startOwnServer, type OwnServer } from 'agent-harness/lib/running-server';
import type { ServerParts } from './server-parts.ts';

/** Rejects with `MCP_SERVER_ERR_TOKEN_REFUSED` when one runs that does not know our token. */
export async function reachServer({ services, makeError }: ServerParts): Promise<OwnServer> {
  const running = await findRunningServer(services, (url) => makeError('TOKEN_REFUSED', { url, home: services.product.home }));
  return running ? { ...running, leave: () => Promise.resolve() } : startOwnServer(services);
}
