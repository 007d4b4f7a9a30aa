// What other plugins may add to the account routes.
import type { Series, Waterfall } from 'agent-harness/kernel';

/** The wallet of managed inference, in credits; all `null` when signed out or nobody knows. */
export interface InferenceStatus {
  /** Managed inference answers requests now. */
  readonly configured: boolean;
  readonly entitled: boolean;
  readonly remaining: number | null;
  readonly cap: number | null;
  readonly used: number | null;
  /** ISO 8601. */
  readonly periodEnd: string | null;
}

/** The hosted site where people sign in. */
export interface HubSite {
  /** Without a trailing slash; read it at each use, it may change. */
  url(): string;
  /** Where the control plane answers: the same site, unless another one is set. Without a trailing slash. */
  controlPlane(): string;
}

declare module 'agent-harness/kernel' {
  interface Services {
    hubSite: HubSite;
  }
  interface Hooks {
    /** The reply of `GET /api/hub/inference-status`; asked only when signed in. */
    'hub.inference': Waterfall<InferenceStatus>;
    /** Somebody asked to put provider and inference settings into force again: drop cached sessions. */
    'hub.reconnect': Series<[]>;
  }
}
