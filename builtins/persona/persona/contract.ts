// Defines the contract of the persona: the agent's character for this user, stored in files that only this service writes.
import type { ModelRequest } from 'agent-harness/plugins/models';

/** Sections of the character that are created from the user's sentence. */
export type MadeSlice = 'identity' | 'voice' | 'stance' | 'rails';

/** `living`: learned sentences about how to behave with this user. */
export type SliceName = MadeSlice | 'living';

/** The user's sentence about the agent, split into fields. */
export interface PersonaProfile {
  /** The name of the persona in clients: a few words. */
  readonly label: string;
  /** Name of the agent; empty if the user specified none. */
  readonly name: string;
  /** Character in one sentence. */
  readonly summary: string;
  /** At most six traits of a few words each. */
  readonly traits: readonly string[];
  readonly verbosity: 'brief' | 'balanced' | 'detailed';
  readonly humor: 'none' | 'light' | 'playful';
  readonly formality: 'casual' | 'neutral' | 'formal';
  /** Language of answers as a language tag (`de`); empty: the user's language. */
  readonly language: string;
  /** How the agent addresses the user; empty if unspecified. */
  readonly address: string;
}

/** Origin of the text of a section. */
export type SliceSource = 'model' | 'scaffold' | 'person' | 'learned';

export interface PersonaSlice {
  readonly name: SliceName;
  readonly text: string;
  readonly source: SliceSource;
  /** Revision in which the text was written; pass it as `base` of an edit. */
  readonly revision: number;
  /** Estimated number of tokens, and the limit. */
  readonly tokens: number;
  readonly maxTokens: number;
  /** Content that another program wrote to the file; not used until the user accepts it. */
  readonly outside?: { readonly text: string; readonly hash: string };
}

export type BootstrapState = 'pending' | 'running' | 'done' | 'skipped';

/** A run that creates a persona. */
export interface BootstrapStatus {
  readonly state: BootstrapState;
  /** Last unfinished request, whose run was interrupted or failed. */
  readonly input?: string;
  readonly stage?: BootstrapStage;
  /** Reason for the last failure. */
  readonly error?: string;
  /** Reason why parts of the result were created without the model. */
  readonly notice?: string;
}

export type BootstrapStage = 'profile' | 'soul' | 'artifacts' | 'apply' | 'done' | 'failed';

export interface PersonaState {
  /** Number of the active revision; 0 before the first persona. */
  readonly revision: number;
  readonly label: string;
  /** Profile of the active persona; omitted if there is none. */
  readonly profile?: PersonaProfile;
  /** Sections of the persona; empty if there is no persona. */
  readonly slices: readonly PersonaSlice[];
  /** Artifacts of plugins, by name, such as `ui_theme`. */
  readonly artifacts: Readonly<Record<string, unknown>>;
  readonly bootstrap: BootstrapStatus;
}

export type PersonaChange = 'bootstrap' | 'skip' | 'edit' | 'revert' | 'reset' | 'learn' | 'outside' | 'artifact';

/** The text of a section in a revision. */
export interface SliceVersion {
  readonly version: number;
  readonly at: string;
  readonly by: PersonaChange;
  readonly source: SliceSource;
  /** Origin of the text, for users. */
  readonly why: string;
  readonly text: string;
}

/** The whole persona in a revision. */
export interface PersonaVersion {
  readonly version: number;
  readonly at: string;
  readonly by: PersonaChange;
  /** Origin of the revision, for users. */
  readonly why: string;
  /** Name of the persona; empty without one. */
  readonly label: string;
}

export interface Persona {
  /** Returns the name for clients; empty if there is no persona or it is switched off in that chat. */
  label(chatId?: string): Promise<string>;
  read(): Promise<PersonaState>;
  /** Returns versions, newest first. Rejects with `not_found`. */
  history(name: SliceName): Promise<readonly SliceVersion[]>;
  /** Sets a text that the user wrote. Rejects with `conflict` if `base` is not the section's revision, and with `invalid_request` for an invalid text. */
  edit(name: SliceName, edit: { readonly text: string; readonly base: number }): Promise<PersonaState>;
  /** Restores a version of a section as a new revision. Rejects with `not_found`. */
  revert(name: SliceName, version: number): Promise<PersonaState>;
  /** Returns versions of the whole persona, newest first. */
  versions(): Promise<readonly PersonaVersion[]>;
  /** Restores a version of the whole persona as a new revision. Rejects with `not_found`. */
  restore(version: number): Promise<PersonaState>;
  /**
   * Stores one sentence about how to behave with this user. If there is no space, removes the oldest learned sentence. Rejects with `invalid_request` for any
   * other text.
   * @param source origin for display, such as `said on 2026-11-22`
   */
  learn(sentence: string, source: string): Promise<PersonaState>;
  /** Accepts or rejects content that another program wrote to a file. Rejects with `conflict` if the content has changed since. */
  decideOutside(name: SliceName, decision: { readonly hash: string; readonly isTaken: boolean }): Promise<PersonaState>;
  /** Returns a plugin's artifact by name; `undefined` if there is none. */
  artifact(name: string): Promise<unknown>;
  /** Sets an artifact after its plugin has validated it; `null` removes it. Rejects with `invalid_request`, and with `not_found` for an unknown name. */
  setArtifact(name: string, value: unknown): Promise<PersonaState>;
  /** Returns the artifact `ui_theme`. */
  theme(): Promise<unknown>;
  setTheme(theme: unknown): Promise<PersonaState>;
}

/** A model call for an artifact, with the same limits, retries and repairs as the persona's own calls. */
export interface ArtifactCall extends Pick<ModelRequest, 'system' | 'maxTokens'> {
  /** The user's text and the profile, as data. */
  readonly text: string;
}

export interface ArtifactMaking {
  readonly profile: PersonaProfile;
  /** The user's text. */
  readonly input: string;
  /** Aborted when the run ends. */
  readonly signal: AbortSignal;
  /** Whether no model is available; everything is then created by rules. */
  readonly isOffline: boolean;
  /**
   * Returns the JSON of a model's response; `undefined` if there is no valid response. Streams the response text as previews. Contract: rejects only when the
   * signal is aborted.
   */
  ask(call: ArtifactCall): Promise<unknown>;
}

/**
 * Contribution point `persona_artifact`: data that a plugin creates with a persona. Both are activated together, completely or not at all. The artifact is
 * stored as JSON beside the sections, in `<name>.json`.
 */
export interface PersonaArtifact {
  /** snake_case, unique: `ui_theme`. */
  readonly name: string;
  /** Creates the artifact for a sentence. If the promise rejects or `check` refuses the result, {@link PersonaArtifact.scaffold} is used. */
  make(making: ArtifactMaking): Promise<unknown>;
  /** Creates the artifact by rules, synchronously. Contract: never throws; `check` accepts the result. */
  scaffold(profile: PersonaProfile, input: string): unknown;
  /** Returns the value to store, or a sentence that describes the problem. Contract: pure. */
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
    /** The active persona or a part of it has changed, or content of its files waits for the user's decision. */
    persona_changed: { readonly label: string; readonly revision: number; readonly change: PersonaChange };
  }
}
