// What others may add to the page before it is drawn.

/**
 * Contribution point `page_meta`: something that the first drawing of the page needs, so that nothing flashes. It is a meta tag of the page, for
 * visitors who are let in. `page-tokens`, of which there is one, holds JSON: values of the page's design tokens by their names.
 */
export interface PageMeta {
  /** kebab-case; no two have the same one. */
  readonly name: string;
  /** Asked for with every page; `undefined` where there is nothing to say. One that rejects or takes longer than 1 s is left out. */
  content(): string | undefined | Promise<string | undefined>;
}

declare module 'agent-harness/kernel' {
  interface ContributionPoints {
    page_meta: PageMeta;
  }
}
