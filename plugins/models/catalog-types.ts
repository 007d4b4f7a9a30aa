// What endpoints offer, and keys that people type. Part of the contract.

/** A model as its provider lists it. */
export interface ListedModel {
  readonly id: string;
  readonly name?: string;
  /** Tokens. */
  readonly contextLength?: number;
  /** USD for a million tokens. */
  readonly price?: { readonly input: number; readonly output: number };
  /** ISO 8601, the day on which the provider shuts it down; left out where the provider announces none. */
  readonly shutdownOn?: string;
  /** It hears sound in messages; left out where it does not, or where nobody says. */
  readonly takesAudio?: boolean;
}

export interface ModelList {
  readonly models: readonly ListedModel[];
  /** Why there are none. */
  readonly reason?: string;
  /** The configured model. */
  readonly current: string;
}

/** The end of a model at its provider. */
export interface ModelShutdown {
  readonly model: string;
  /** ISO 8601, the day. */
  readonly on: string;
  /** Left out where none is known. */
  readonly successor?: string;
}

/** What the product knows of models without asking a provider. */
export interface ModelNews {
  /** ISO 8601, the day. */
  readonly checkedOn: string;
  /** Days since then. */
  readonly ageDays: number;
  readonly shutdown?: ModelShutdown;
}

/** A key that a person typed; it lives as long as the process. */
export interface TypedKey {
  readonly key: string;
  readonly baseURL?: string;
  readonly model?: string;
}

/** A provider that is known by name. */
export interface KnownProvider {
  readonly id: string;
  /** For people. */
  readonly title: string;
  readonly baseURL: string;
  /** Where a person makes a key, and adds credit. */
  readonly keysPage: string;
  readonly creditPage: string;
}

/** A server of models on this machine. */
export interface LocalEndpoint {
  /** For people. */
  readonly title: string;
  readonly baseURL: string;
  readonly models: readonly ListedModel[];
}
