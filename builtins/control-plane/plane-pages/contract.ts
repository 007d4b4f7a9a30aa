// The contract of the pages for other plugins.
import type { RouteContext } from 'agent-harness/plugins/http';

export interface PageRules {
  /** Where forms of the page may be sent, as sources of a content security policy; nowhere when left out. The recipient learns the page's origin. */
  readonly formTargets?: readonly string[];
}

/** Contribution point `page_guard`: the conditions for showing a page. */
export interface PageGuard {
  /** Path of the page: `/connect/harness`. */
  readonly path: string;
  /** If it throws an error with a status, the page may send no form, and shows the problem itself. */
  check(context: Pick<RouteContext, 'query' | 'principal'>): PageRules;
}

declare module 'agent-harness/kernel' {
  interface ContributionPoints {
    page_guard: PageGuard;
  }
}
