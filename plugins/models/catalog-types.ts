// Declares the types of model lists and of keys that the user enters. Part of the contract.

/** A model in its provider's list. */
export interface ListedModel {
  readonly id: string;
  readonly name?: string;
  /** Context window in tokens. */
  readonly contextLength?: number;
  /** Price in USD per million tokens. */
  readonly price?: { readonly input: number; readonly output: number };
  /** Announced shutdown date (ISO 8601); omitted if none is announced. */
  readonly shutdownOn?: string;
  /** Whether the model accepts audio in messages; omitted if unknown. */
  readonly takesAudio?: boolean;
}

export interface ModelList {
  readonly models: readonly ListedModel[];
  /** Reason why the list is empty. */
  readonly reason?: string;
  /** Id of the configured model. */
  readonly current: string;
}

/** The shutdown of a model by its provider. */
export interface ModelShutdown {
  readonly model: string;
  /** ISO 8601 date of the shutdown. */
  readonly on: string;
  /** Id of the successor model; omitted if unknown. */
  readonly successor?: string;
}

/** Status of the built-in facts about models, available without a request. */
export interface ModelNews {
  /** ISO 8601 date of the last check. */
  readonly checkedOn: string;
  /** Days since the last check. */
  readonly ageDays: number;
  readonly shutdown?: ModelShutdown;
}

/** A key that the user entered; in use until the process ends. */
export interface TypedKey {
  readonly key: string;
  readonly baseURL?: string;
  readonly model?: string;
}

/** A provider with a known name. */
export interface KnownProvider {
  readonly id: string;
  /** Display name. */
  readonly title: string;
  readonly baseURL: string;
  /** Page on which the user creates a key and adds credit. */
  readonly keysPage: string;
  readonly creditPage: string;
}

/** A model server on this machine. */
export interface LocalEndpoint {
  /** Display name. */
  readonly title: string;
  readonly baseURL: string;
  readonly models: readonly ListedModel[];
}
