// Defines the contract of the persona: the agent's character for this user, stored in files that only this service writes.
import type { ModelRequest } from 'agent-harness/plugins/models';

/** The slices of the soul that are created from a sentence. */
export type MadeSlice = 'identity' | 'voice' | 'stance' | 'rails';

/** `living`: what the agent has learned about how to behave with this user. */
export type SliceName = MadeSlice | 'living';

/** What a user's sentence says of the agent, as fields. */
export interface PersonaProfile {
  /** The name of the persona in clients: a few words. */
  readonly label: string;
  /** What the agent calls itself; empty if unspecified. */
  readonly name: string;
  /** Its character in one sentence. */
  readonly summary: string;
  /** At most six, a few words each. */
  readonly traits: readonly string[];
  readonly verbosity: 'brief' | 'balanced' | 'detailed';
  readonly humor: 'none' | 'light' | 'playful';
  readonly formality: 'casual' | 'neutral' | 'formal';
  /** The language it answers in, as a tag (`de`); empty: that of the user. */
  readonly language: string;
  /** How it addresses the user; empty if unspecified. */
  readonly address: string;
}

/** Where the text of a slice comes from. */
export type SliceSource = 'model' | 'scaffold' | 'person' | 'learned';

export interface PersonaSlice {
  readonly name: SliceName;
  readonly text: string;
  readonly source: SliceSource;
  /** The revision in which this text was written: the `base` of an edit. */
  readonly revision: number;
  /** Tokens, estimated, and the limit. */
  readonly tokens: number;
  readonly maxTokens: number;
  /** The file has a different content, which this service did not write: it is not used until the user accepts it. */
  readonly outside?: { readonly text: string; readonly hash: string };
}

export type BootstrapState = 'pending' | 'running' | 'done' | 'skipped';

/** A run that creates a persona. */
export interface BootstrapStatus {
  readonly state: BootstrapState;
  /** The last request that is not done yet: the run was interrupted or failed. */
  readonly input?: string;
  readonly stage?: BootstrapStage;
  /** Why the last run failed. */
  readonly error?: string;
  /** Why parts of the result were created without the model. */
  readonly notice?: string;
}

export type BootstrapStage = 'profile' | 'soul' | 'artifacts' | 'apply' | 'done' | 'failed';

export interface PersonaState {
  /** 0: there never was one. */
  readonly revision: number;
  readonly label: string;
  /** Profile of the active persona; left out if there is none. */
  readonly profile?: PersonaProfile;
  /** Empty if there is no persona. */
  readonly slices: readonly PersonaSlice[];
  /** What plugins created for it, by name: `ui_theme`. */
  readonly artifacts: Readonly<Record<string, unknown>>;
  readonly bootstrap: BootstrapStatus;
}

export type PersonaChange = 'bootstrap' | 'skip' | 'edit' | 'revert' | 'reset' | 'learn' | 'outside' | 'artifact';

/** The text of a slice from a revision on. */
export interface SliceVersion {
  readonly version: number;
  /** ISO 8601 UTC. */
  readonly at: string;
  readonly by: PersonaChange;
  readonly source: SliceSource;
  /** For users; its origin. */
  readonly why: string;
  readonly text: string;
}

/** The whole persona from a revision on. */
export interface PersonaVersion {
  readonly version: number;
  /** ISO 8601 UTC. */
  readonly at: string;
  readonly by: PersonaChange;
  /** For users; its origin. */
  readonly why: string;
  /** Its name; empty if there was none. */
  readonly label: string;
}

export interface Persona {
  /** Its name in clients; empty if there is none, or if it is off in that chat. */
  label(chatId?: string): Promise<string>;
  read(): Promise<PersonaState>;
  /** The newest first. Rejects with `not_found`. */
  history(name: SliceName): Promise<readonly SliceVersion[]>;
  /** Sets a user's own text. Rejects with `conflict` if `base` is not the revision of the slice, with `invalid_request` for an unacceptable text. */
  edit(name: SliceName, edit: { readonly text: string; readonly base: number }): Promise<PersonaState>;
  /** Restores the text of a slice from a version; a new revision. Rejects with `not_found`. */
  revert(name: SliceName, version: number): Promise<PersonaState>;
  /** The newest first. */
  versions(): Promise<readonly PersonaVersion[]>;
  /** Restores the whole persona of a version; a new revision. Rejects with `not_found`. */
  restore(version: number): Promise<PersonaState>;
  /**
   * Stores one sentence on how to behave with this user; the oldest learned one is removed if there is no room. Rejects with
   * `invalid_request` for anything else.
   * @param source for users: `said on 2026-11-22`
   */
  learn(sentence: string, source: string): Promise<PersonaState>;
  /** Decides about a text in a file that this service did not write. Rejects with `conflict` if it has changed since. */
  decideOutside(name: SliceName, decision: { readonly hash: string; readonly isTaken: boolean }): Promise<PersonaState>;
  /** What a plugin created for the persona, by the name of its artifact; `undefined` if there is nothing. */
  artifact(name: string): Promise<unknown>;
  /** Validated by the artifact's own plugin; `null` removes it. Rejects with `invalid_request`, `not_found` for a name that no plugin contributes. */
  setArtifact(name: string, value: unknown): Promise<PersonaState>;
  /** Artifact `ui_theme`. */
  theme(): Promise<unknown>;
  setTheme(theme: unknown): Promise<PersonaState>;
}

/** How an artifact asks a model: with the limits, retries and repairs of the persona's own calls. */
export interface ArtifactCall extends Pick<ModelRequest, 'system' | 'maxTokens'> {
  /** Contains the user's text and the profile as data. */
  readonly text: string;
}

export interface ArtifactMaking {
  readonly profile: PersonaProfile;
  /** What the user wrote. */
  readonly input: string;
  /** Aborted when the run ends. */
  readonly signal: AbortSignal;
  /** No model is available: everything is created without one. */
  readonly isOffline: boolean;
  /** The JSON of a model's response; `undefined` if there was no valid one. Streams its text as previews. Contract: rejects only when the signal is aborted. */
  ask(call: ArtifactCall): Promise<unknown>;
}

/**
 * Contribution point `persona_artifact`: something that is created with a persona and activated with it, completely or not at all. It is stored
 * as JSON beside the slices, in `<name>.json`.
 */
export interface PersonaArtifact {
  /** snake_case, unique: `ui_theme`. */
  readonly name: string;
  /** Creates it for a sentence. If it rejects, or returns what `check` refuses, {@link PersonaArtifact.scaffold} is used. */
  make(making: ArtifactMaking): Promise<unknown>;
  /** Creates it without a model, immediately. Contract: never throws; `check` accepts it. */
  scaffold(profile: PersonaProfile, input: string): unknown;
  /** Returns the value to store, or a sentence with the problem. Contract: pure. */
  check(value: unknown): { readonly value: unknown } | string;
}

declare module 'agent-harness/kernel' {
  interface Services {
    persona: Persona;
  }
  interface ContributionPoints {
    persona_artifact: PersonaArtifact;
  }
  interface Events {
    /** A persona is being created. `preview`: the complete text of the artifact so far. */
    persona_progress: {
      readonly stage: BootstrapStage;
      readonly artifact?: string;
      readonly preview?: string;
      readonly error?: string;
      readonly notice?: string;
    };
    /** The active persona or a part of it changed, or something in its files waits for the user. */
    persona_changed: { readonly label: string; readonly revision: number; readonly change: PersonaChange };
  }
}
