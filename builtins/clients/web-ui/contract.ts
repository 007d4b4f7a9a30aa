// Defines the contract of the web UI: data that other plugins add to the page before its first rendering.

/**
 * Contribution point `page_meta`: a value that the first rendering of the page needs, to avoid a flash of wrong content. It becomes a meta tag of the page, for
 * authorised visitors only. The tag `page-tokens` contains JSON: values of the page's design tokens by name.
 */
export interface PageMeta {
  /** kebab-case, unique. */
  readonly name: string;
  /** Returns the content; `undefined` for no tag. Called for every page. A call that rejects or takes longer than 1 s is skipped. */
  content(): string | undefined | Promise<string | undefined>;
}

declare module 'agent-harness/kernel' {
  interface ContributionPoints {
    page_meta: PageMeta;
  }
}
