// Defines the contract of the control plane's server: its address, client addresses, metrics, checks and startup notes.
import type { Principal, RouteContext } from 'agent-harness/plugins/http';

export interface PlaneSite {
  /** Returns the address without a trailing slash. It may change, so call this on every use. */
  url(): string;
  /**
   * Returns the client address of a request, for rate limits and display. Behind a trusted proxy (on this machine if `HUB_PUBLIC_URL` is set, or listed in
   * `HUB_TRUSTED_PROXIES`), this is the address that the proxy reports; otherwise, it is the socket's peer.
   */
  clientOf(context: Pick<RouteContext, 'peer' | 'headers'>): string;
}

export interface MetricValue {
  /** Label names in snake_case. Contract: a label has few values, whose number does not grow with users, chats or time. */
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** Contribution point `plane_metric`: one metric of this node in `GET /metrics`. */
export interface PlaneMetric {
  /** `plane_<what>_<unit>`, in seconds or bytes; the name of a counter ends in `_total`. */
  readonly name: `plane_${string}`;
  /** One sentence. */
  readonly help: string;
  /** A counter only grows during the life of the process. */
  readonly type: 'counter' | 'gauge';
  /** Called on each scrape with a time limit of 2 s; a metric that fails is omitted and logged. */
  read(): number | readonly MetricValue[] | Promise<number | readonly MetricValue[]>;
}

export interface CheckResult {
  /** `warning`: working, but the operator should check it. */
  readonly state: 'fine' | 'warning' | 'failed';
  /** One sentence, with an instruction unless the state is `fine`. */
  readonly message: string;
}

/** Contribution point `plane_check`: a check for `doctor` and the self-host status, such as of the mail server or the clock. */
export interface PlaneCheck {
  /** kebab-case. */
  readonly name: string;
  /** Whether every request depends on the checked component. `GET /readyz` runs such checks, so they must be cheap. */
  readonly isNeeded?: true;
  /** Runs with a time limit of 5 s. An error is reported as `failed`. */
  look(): CheckResult | Promise<CheckResult>;
}

/** Contribution point `plane_operator`: decides whether a principal belongs to the organisation that operates the control plane. */
export interface PlaneOperator {
  readonly name: string;
  includes(principal: Principal | undefined): Promise<boolean>;
}

/** Contribution point `start_note`: a line that is printed below the address once the server is ready. */
export interface StartNote {
  readonly name: string;
  /** Returns the line; `undefined` for none. An error is logged. */
  read(): string | undefined | Promise<string | undefined>;
}

/** Open map from the keys of routes that the control plane's pages call to their schemas. See `Routes` of the server. */
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
