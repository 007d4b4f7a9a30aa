// Finds the server that this agent runs in, or starts one for as long as it is needed.
import { findRunningServer, startOwnServer, type OwnServer } from 'agent-harness/lib/running-server';
import type { KernelError } from 'agent-harness/kernel';
import type { Http, WebToken } from 'agent-harness/plugins/http';
import type { Product } from 'agent-harness/plugins/storage';

/** What the files of this plugin work with. */
export interface ServerParts {
  readonly services: { readonly product: Product; readonly http: Http; readonly webToken: WebToken };
  /** Which of the agent's own tools: `shown`, `all`, `none`, or names and families with commas. */
  readonly served: string;
  makeError(reason: 'TOKEN_REFUSED', details: Readonly<Record<string, unknown>>): KernelError;
}

/** Rejects with `MCP_SERVER_ERR_TOKEN_REFUSED` when one runs that does not know our token. */
export async function reachServer({ services, makeError }: Omit<ServerParts, 'served'>): Promise<OwnServer> {
  const running = await findRunningServer(services, (url) => makeError('TOKEN_REFUSED', { url, home: services.product.home }));
  return running ? { ...running, leave: () => Promise.resolve() } : startOwnServer(services);
}
