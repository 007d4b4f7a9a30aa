// What other plugins say about the pages.
import type { RouteContext } from 'agent-harness/plugins/http';

export interface PageRules {
  /** Where forms of the page may be sent, as sources of a content security policy; nowhere when left out. What they are sent to learns the page's origin. */
  readonly formTargets?: readonly string[];
}

/** Contribution point `page_guard`: what has to hold before a page is shown. */
export interface PageGuard {
  /** Of the page: `/connect/harness`. */
  readonly path: string;
  /** Where it throws an error with a status, the page may send no form, and says itself what is wrong. */
  check(context: Pick<RouteContext, 'query' | 'principal'>): PageRules;
}

declare module 'agent-harness/kernel' {
  interface ContributionPoints {
    page_guard: PageGuard;
  }
}
