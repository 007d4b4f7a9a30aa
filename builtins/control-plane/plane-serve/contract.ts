// Where the control plane is reached, by whom, and what it tells its operator.
import type { Principal, RouteContext } from 'agent-harness/plugins/http';

export interface PlaneSite {
  /** Without a trailing slash; read it at each use. */
  url(): string;
  /**
   * The address of who makes a request, for counting attempts and for telling people. Behind a proxy that is trusted (on this machine where
   * `HUB_PUBLIC_URL` is set, or listed in `HUB_TRUSTED_PROXIES`) what that proxy says; of anybody else, the socket's.
   */
  clientOf(context: Pick<RouteContext, 'peer' | 'headers'>): string;
}

export interface MetricValue {
  /** Names in snake_case. Contract: a few values each, nothing that grows with people, chats or time. */
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Contribution point `plane_metric`: one figure of this node, in `GET /metrics`. */
export interface PlaneMetric {
  /** `plane_<what>_<unit>`, in seconds and bytes; a counter ends in `_total`. */
  readonly name: `plane_${string}`;
  /** One sentence. */
  readonly help: string;
  /** A counter only grows while the process lives. */
  readonly type: 'counter' | 'gauge';
  /** Asked at each scrape, waited for no longer than 2 s; where it fails, the figure is left out and the log says so. */
  read(): number | readonly MetricValue[] | Promise<number | readonly MetricValue[]>;
}

export interface CheckResult {
  /** `warning`: it works, and somebody should know. */
  readonly state: 'fine' | 'warning' | 'failed';
  /** One sentence; of what is not fine, with what to do. */
  readonly message: string;
}

/** Contribution point `plane_check`: what `doctor` and the self-host status look at, such as a mail server or a clock. */
export interface PlaneCheck {
  /** kebab-case. */
  readonly name: string;
  /** Without it, no request can be served: `GET /readyz` waits for it. Such a check is cheap. */
  readonly isNeeded?: true;
  /** Waited for no longer than 5 s. What it throws counts as `failed`. */
  look(): CheckResult | Promise<CheckResult>;
}

/** Contribution point `plane_operator`: decides whether a principal belongs to the organisation that runs the control plane. */
export interface PlaneOperator {
  readonly name: string;
  includes(principal: Principal | undefined): Promise<boolean>;
}

/** Contribution point `start_note`: what the program says once it is ready, below its address. */
export interface StartNote {
  readonly name: string;
  /** `undefined`: nothing now. What it throws is logged. */
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
