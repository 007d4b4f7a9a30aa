// Defines the contract of web access for other plugins, with the rules of the web tools.

export interface FetchedFile {
  /** URL after redirects. */
  readonly url: string;
  /** Content type as sent by the server. */
  readonly contentType: string;
  readonly bytes: Buffer;
}

export interface WebFiles {
  /**
   * Fetches a file from the web. Connects only to public addresses and those that the user allows, checks each redirect again, and retries as for pages.
   * Resolves with `undefined` if the file exceeds the byte limit. Rejects with a message for the model.
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
