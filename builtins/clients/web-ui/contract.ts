// Defines the contract of the web UI: additions of other plugins to the page before its first rendering.

/**
 * Contribution point `page_meta`: something that the first render of the page needs, so that nothing flashes. It is a meta tag of the page, for
 * authorised visitors. `page-tokens`, of which there is one, holds JSON: values of the page's design tokens by name.
 */
export interface PageMeta {
  /** kebab-case, unique. */
  readonly name: string;
  /** Called for every page; `undefined` for no tag. One that rejects or takes longer than 1 s is left out. */
  content(): string | undefined | Promise<string | undefined>;
}

declare module 'agent-harness/kernel' {
  interface ContributionPoints {
    page_meta: PageMeta;
  }
}
