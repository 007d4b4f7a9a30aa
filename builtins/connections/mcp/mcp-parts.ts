// Defines the dependencies that the modules of this plugin share.
import type { Disposable, KernelError } from 'agent-harness/kernel';
import type { ConnectionStore } from 'agent-harness/plugins/connections';
import type { Http } from 'agent-harness/plugins/http';
import type { Approvals } from 'agent-harness/plugins/policy';
import type { Processes } from 'agent-harness/plugins/processes';
import type { Product } from 'agent-harness/plugins/storage';
import type { ToolFamily, Tools } from 'agent-harness/plugins/tools';
import type { Trust } from 'agent-harness/plugins/trust';

export type McpFault = 'INVALID' | 'NOT_FOUND' | 'CONNECT_FAILED' | 'SIGN_IN_FAILED';

export interface McpParts {
  readonly services: {
    readonly connectionStore: ConnectionStore;
    readonly http: Http;
    readonly tools: Tools;
    readonly approvals: Approvals;
    readonly product: Product;
    readonly processes: Processes;
    readonly trust: Trust | undefined;
  };
  error(reason: McpFault, details?: Readonly<Record<string, unknown>>, cause?: unknown): KernelError;
  addFamily(family: ToolFamily): Disposable;
  /** Returns the maximum wait for a start in milliseconds. */
  startMs(): number;
  /** Reports a status change of a connection. */
  changed(name: string, status: string): void;
  log(line: string): void;
  warn(line: string): void;
}
