// Defines the contract of the persona: the agent's character for this user, stored in files that only this service writes.
import type { ModelRequest } from 'agent-harness/plugins/models';

/** Slices of the character that are created from a sentence. */
export type MadeSlice = 'identity' | 'voice' | 'stance' | 'rails';

/** `living`: learned lines about how to behave with this user. */
export type SliceName = MadeSlice | 'living';

/** The user's sentence about the agent, as fields. */
export interface PersonaProfile {
  /** The name of the persona in clients: a few words. */
  readonly label: string;
  /** Name of the agent; empty if unspecified. */
  readonly name: string;
  /** Character in one sentence. */
  readonly summary: string;
  /** At most six traits of a few words each. */
  readonly traits: readonly string[];
  readonly verbosity: 'brief' | 'balanced' | 'detailed';
  readonly humor: 'none' | 'light' | 'playful';
  readonly formality: 'casual' | 'neutral' | 'formal';
  /** Language of answers as a tag (`de`); empty: the user's language. */
  readonly language: string;
  /** Form of address for the user; empty if unspecified. */
  readonly address: string;
}

/** Origin of a slice's text. */
export type SliceSource = 'model' | 'scaffold' | 'person' | 'learned';

export interface PersonaSlice {
  readonly name: SliceName;
  readonly text: string;
  readonly source: SliceSource;
  /** Revision in which the text was written: the `base` of an edit. */
  readonly revision: number;
  /** Estimated tokens, and the limit. */
  readonly tokens: number;
  readonly maxTokens: number;
  /** Content that another program wrote to the file: unused until the user accepts it. */
  readonly outside?: { readonly text: string; readonly hash: string };
}

export type BootstrapState = 'pending' | 'running' | 'done' | 'skipped';

/** A run that creates a persona. */
export interface BootstrapStatus {
  readonly state: BootstrapState;
  /** Last unfinished request: its run was interrupted or failed. */
  readonly input?: string;
  readonly stage?: BootstrapStage;
  /** Reason of the last failure. */
  readonly error?: string;
  /** Reason why parts of the result were created without the model. */
  readonly notice?: string;
}

export type BootstrapStage = 'profile' | 'soul' | 'artifacts' | 'apply' | 'done' | 'failed';

export interface PersonaState {
  /** Number of the active revision; 0 before the first persona. */
  readonly revision: number;
  readonly label: string;
  /** Profile of the active persona; left out if there is none. */
  readonly profile?: PersonaProfile;
  /** Slices of the persona; empty without a persona. */
  readonly slices: readonly PersonaSlice[];
  /** Plugins' artifacts by name: `ui_theme`. */
  readonly artifacts: Readonly<Record<string, unknown>>;
  readonly bootstrap: BootstrapStatus;
}

export type PersonaChange = 'bootstrap' | 'skip' | 'edit' | 'revert' | 'reset' | 'learn' | 'outside' | 'artifact';

/** The text of a slice as of a revision. */
export interface SliceVersion {
  readonly version: number;
  /** ISO 8601 UTC. */
  readonly at: string;
  readonly by: PersonaChange;
  readonly source: SliceSource;
  /** Origin of the text, for users. */
  readonly why: string;
  readonly text: string;
}

/** The whole persona as of a revision. */
export interface PersonaVersion {
  readonly version: number;
  /** ISO 8601 UTC. */
  readonly at: string;
  readonly by: PersonaChange;
  /** Origin of the revision, for users. */
  readonly why: string;
  /** Name of the persona; empty without one. */
  readonly label: string;
}

export interface Persona {
  /** Returns the name for clients; empty without a persona, or if it is switched off in that chat. */
  label(chatId?: string): Promise<string>;
  read(): Promise<PersonaState>;
  /** Returns versions, newest first. Rejects with `not_found`. */
  history(name: SliceName): Promise<readonly SliceVersion[]>;
  /** Sets a text of the user. Rejects with `conflict` if `base` is not the slice's revision, with `invalid_request` for an invalid text. */
  edit(name: SliceName, edit: { readonly text: string; readonly base: number }): Promise<PersonaState>;
  /** Restores a version of a slice as a new revision. Rejects with `not_found`. */
  revert(name: SliceName, version: number): Promise<PersonaState>;
  /** Returns versions of the whole persona, newest first. */
  versions(): Promise<readonly PersonaVersion[]>;
  /** Restores a version of the whole persona as a new revision. Rejects with `not_found`. */
  restore(version: number): Promise<PersonaState>;
  /**
   * Stores one sentence on how to behave with this user; without space, removes the oldest learned one. Rejects with
   * `invalid_request` for any other text.
   * @param source for users: `said on 2026-11-22`
   */
  learn(sentence: string, source: string): Promise<PersonaState>;
  /** Accepts or rejects content that another program wrote to a file. Rejects with `conflict` if it has changed since. */
  decideOutside(name: SliceName, decision: { readonly hash: string; readonly isTaken: boolean }): Promise<PersonaState>;
  /** Returns a plugin's artifact by name; `undefined` if there is none. */
  artifact(name: string): Promise<unknown>;
  /** Sets an artifact, validated by its plugin; `null` removes it. Rejects with `invalid_request`, and `not_found` for an unknown name. */
  setArtifact(name: string, value: unknown): Promise<PersonaState>;
  /** Returns the artifact `ui_theme`. */
  theme(): Promise<unknown>;
  setTheme(theme: unknown): Promise<PersonaState>;
}

/** A model call for an artifact, with the limits, retries and repairs of the persona's own calls. */
export interface ArtifactCall extends Pick<ModelRequest, 'system' | 'maxTokens'> {
  /** User's text and profile as data. */
  readonly text: string;
}

export interface ArtifactMaking {
  readonly profile: PersonaProfile;
  /** The user's text. */
  readonly input: string;
  /** Aborted when the run ends. */
  readonly signal: AbortSignal;
  /** Whether no model is available, so that everything is created by rules. */
  readonly isOffline: boolean;
  /**
   * Returns the JSON of a model's response; `undefined` without a valid one. Streams its text as previews. Contract: rejects only when the signal is aborted.
   */
  ask(call: ArtifactCall): Promise<unknown>;
}

/**
 * Contribution point `persona_artifact`: an artifact that is created and activated with a persona, completely or not at all. It is stored
 * as JSON beside the slices, in `<name>.json`.
 */
export interface PersonaArtifact {
  /** snake_case, unique: `ui_theme`. */
  readonly name: string;
  /** Creates the artifact for a sentence. If the promise rejects, or `check` refuses the result, {@link PersonaArtifact.scaffold} is used. */
  make(making: ArtifactMaking): Promise<unknown>;
  /** Creates the artifact by rules, synchronously. Contract: never throws; `check` accepts the result. */
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
    /** Progress of a creation. `preview`: the text of the artifact so far. */
    persona_progress: {
      readonly stage: BootstrapStage;
      readonly artifact?: string;
      readonly preview?: string;
      readonly error?: string;
      readonly notice?: string;
    };
    /** The active persona or a part of it changed, or content of its files waits for the user's decision. */
    persona_changed: { readonly label: string; readonly revision: number; readonly change: PersonaChange };
  }
}
