// Defines the dependencies shared by the ACP modules.
import type { KernelError } from 'agent-harness/kernel';
import type { Http, WebToken } from 'agent-harness/plugins/http';
import type { Product } from 'agent-harness/plugins/storage';

export interface AcpParts {
  readonly services: { readonly product: Product; readonly http: Http; readonly webToken: WebToken };
  makeError(reason: 'TOKEN_REFUSED' | 'SERVER_FAILED', details: Readonly<Record<string, unknown>>, cause?: unknown): KernelError;
}
