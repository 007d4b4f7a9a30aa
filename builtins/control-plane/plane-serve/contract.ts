// Defines the contract of the control plane's server: its address, client addresses, metrics, checks and start notes.
import type { Principal, RouteContext } from 'agent-harness/plugins/http';

export interface PlaneSite {
  /** Without a trailing slash; read it at each use. */
  url(): string;
  /**
   * The client address of a request, for counting attempts and for display. Behind a trusted proxy (on this machine if
   * `HUB_PUBLIC_URL` is set, or listed in `HUB_TRUSTED_PROXIES`) the one that proxy reports; otherwise the socket's.
   */
  clientOf(context: Pick<RouteContext, 'peer' | 'headers'>): string;
}

export interface MetricValue {
  /** Names in snake_case. Contract: a few values each, nothing that grows with users, chats or time. */
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Contribution point `plane_metric`: one metric of this node, in `GET /metrics`. */
export interface PlaneMetric {
  /** `plane_<what>_<unit>`, in seconds and bytes; a counter ends in `_total`. */
  readonly name: `plane_${string}`;
  /** One sentence. */
  readonly help: string;
  /** A counter only grows during the life of the process. */
  readonly type: 'counter' | 'gauge';
  /** Called at each scrape, with a limit of 2 s; if it fails, the metric is left out and the error is logged. */
  read(): number | readonly MetricValue[] | Promise<number | readonly MetricValue[]>;
}

export interface CheckResult {
  /** `warning`: it works, and an operator should check it. */
  readonly state: 'fine' | 'warning' | 'failed';
  /** One sentence; if it is not fine, with what to do. */
  readonly message: string;
}

/** Contribution point `plane_check`: a check for `doctor` and the self-host status, such as a mail server or a clock. */
export interface PlaneCheck {
  /** kebab-case. */
  readonly name: string;
  /** Without it, no request can be served: `GET /readyz` waits for it. Such a check is cheap. */
  readonly isNeeded?: true;
  /** With a limit of 5 s. A throw counts as `failed`. */
  look(): CheckResult | Promise<CheckResult>;
}

/** Contribution point `plane_operator`: decides whether a principal belongs to the organisation that operates the control plane. */
export interface PlaneOperator {
  readonly name: string;
  includes(principal: Principal | undefined): Promise<boolean>;
}

/** Contribution point `start_note`: what the program prints once it is ready, below its address. */
export interface StartNote {
  readonly name: string;
  /** `undefined`: nothing now. A throw is logged. */
  read(): string | undefined | Promise<string | undefined>;
}

/** Open map: key of a route that the pages of the control plane call → its schemas. See `Routes` of the server. */
export interface PlaneRoutes {}

declare module 'agent-harness/kernel' {
  interface Services {
    planeSite: PlaneSite;
  }
  interface ContributionPoints {
    plane_metric: PlaneMetric;
    plane_check: PlaneCheck;
    plane_operator: PlaneOperator;
    start_note: StartNote;
  }
}
