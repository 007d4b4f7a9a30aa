// What other plugins fetch from the web, by the rules of its tools.

export interface FetchedFile {
  /** After redirects. */
  readonly url: string;
  /** As the server says it. */
  readonly contentType: string;
  readonly bytes: Buffer;
}

export interface WebFiles {
  /**
   * A file of the web: public addresses and those that a person allowed, redirects checked again, retried as pages are. `undefined` where it has
   * more bytes. Rejects with words for the model.
   */
  fetch(
    url: string,
    options: { readonly maxBytes: number; readonly accept: string; readonly signal: AbortSignal; progress(note: string): void },
  ): Promise<FetchedFile | undefined>;
}

declare module 'agent-harness/kernel' {
  interface Services {
    webFiles: WebFiles;
  }
}
