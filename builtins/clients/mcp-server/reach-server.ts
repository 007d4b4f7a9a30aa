// Finds the agent's server, or starts a temporary one.
import { findRunningServer, startOwnServer, type OwnServer } from '#lib/running-server';
import type { KernelError } from 'agent-harness/kernel';
import type { Http, WebToken } from 'agent-harness/plugins/http';
import type { Product } from 'agent-harness/plugins/storage';

/** The dependencies shared by the modules of this plugin. */
export interface ServerParts {
  readonly services: { readonly product: Product; readonly http: Http; readonly webToken: WebToken };
  /** Selects which tools of the agent are served: `shown`, `all`, `none`, or comma-separated names and families. */
  readonly served: string;
  makeError(reason: 'TOKEN_REFUSED', details: Readonly<Record<string, unknown>>): KernelError;
}

/** Rejects with `MCP_SERVER_ERR_TOKEN_REFUSED` if a running server refuses the token. */
export async function reachServer({ services, makeError }: Omit<ServerParts, 'served'>): Promise<OwnServer> {
  const running = await findRunningServer(services, (url) => makeError('TOKEN_REFUSED', { url, home: services.product.home }));
  return running ? { ...running, leave: () => Promise.resolve() } : startOwnServer(services);
}
