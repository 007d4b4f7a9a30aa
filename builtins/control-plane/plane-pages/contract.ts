// Defines the contribution point `page_guard`, which other plugins use to restrict pages of the control plane.
import type { RouteContext } from 'agent-harness/plugins/http';

export interface PageRules {
  /** Targets of the page's forms, as sources of a content security policy; default: none. The recipient receives the page's origin. */
  readonly formTargets?: readonly string[];
}

/** Contribution point `page_guard`: the conditions for showing a page. */
export interface PageGuard {
  /** Path of the page: `/connect/harness`. */
  readonly path: string;
  /** Checks a request for the page. If it throws an error with a status, the page must not submit forms, and shows the problem itself. */
  check(context: Pick<RouteContext, 'query' | 'principal'>): PageRules;
}

declare module 'agent-harness/kernel' {
  interface ContributionPoints {
    page_guard: PageGuard;
  }
}
