// What the files of this plugin work with.
import type { KernelError } from 'agent-harness/kernel';
import type { Http, WebToken } from 'agent-harness/plugins/http';
import type { Product } from 'agent-harness/plugins/storage';

export interface ServerParts {
  readonly services: { readonly product: Product; readonly http: Http; readonly webToken: WebToken };
  /** Which of the agent's own tools: `shown`, `all`, `none`, or names and families with commas. */
  readonly served: string;
  makeError(reason: 'TOKEN_REFUSED', details: Readonly<Record<string, unknown>>): KernelError;
}
