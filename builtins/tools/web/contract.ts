// The contract of web access for other plugins, with the rules of the web tools.

export interface FetchedFile {
  /** After redirects. */
  readonly url: string;
  /** As sent by the server. */
  readonly contentType: string;
  readonly bytes: Buffer;
}

export interface WebFiles {
  /**
   * Fetches a file from the web: public addresses and those allowed by the user, redirects checked again, retries as for pages. `undefined` if it exceeds
   * the byte limit. Rejects with a message for the model.
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
