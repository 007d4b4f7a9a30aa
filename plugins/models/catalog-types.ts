// Types of endpoint catalogs and of user-entered keys. Part of the contract.

/** A model as its provider lists it. */
export interface ListedModel {
  readonly id: string;
  readonly name?: string;
  /** Tokens. */
  readonly contextLength?: number;
  /** USD for a million tokens. */
  readonly price?: { readonly input: number; readonly output: number };
  /** ISO 8601, the announced shutdown date; left out if there is none. */
  readonly shutdownOn?: string;
  /** It accepts sound in messages; left out if not, or unknown. */
  readonly takesAudio?: boolean;
}

export interface ModelList {
  readonly models: readonly ListedModel[];
  /** The reason if there are none. */
  readonly reason?: string;
  /** The configured model. */
  readonly current: string;
}

/** The shutdown of a model by its provider. */
export interface ModelShutdown {
  readonly model: string;
  /** ISO 8601 date. */
  readonly on: string;
  /** Left out if none is known. */
  readonly successor?: string;
}

/** Built-in facts about models, known without a request. */
export interface ModelNews {
  /** ISO 8601 date. */
  readonly checkedOn: string;
  /** Days since then. */
  readonly ageDays: number;
  readonly shutdown?: ModelShutdown;
}

/** A key entered by the user; kept until the process ends. */
export interface TypedKey {
  readonly key: string;
  readonly baseURL?: string;
  readonly model?: string;
}

/** A provider known by name. */
export interface KnownProvider {
  readonly id: string;
  /** Display name. */
  readonly title: string;
  readonly baseURL: string;
  /** Page where the user creates a key, and adds credit. */
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
