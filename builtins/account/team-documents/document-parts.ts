// Defines the dependencies of the modules that manage an organisation's documents.
import type { KernelError, Services } from 'agent-harness/kernel';

export interface DocumentParts {
  /** Read on every use. */
  readonly services: Pick<Services, 'license' | 'storage' | 'product'> & {
    readonly controlPlane: Services['controlPlane'] | undefined;
    readonly hubSite: Services['hubSite'] | undefined;
  };
  /** Aborted when the plugin stops. */
  readonly signal: AbortSignal;
  readonly makeError: (reason: 'CHANGED' | 'NOT_SIGNED' | 'OLDER' | 'NOT_KEPT', details: Readonly<Record<string, unknown>>) => KernelError;
  /** Reports an error to the user. */
  readonly report: (fault: KernelError) => void;
}
