// The persona: who the agent is for this person, in files that this service alone writes.
import type { ModelRequest } from 'agent-harness/plugins/models';

/** The slices of the soul that are made from a sentence. */
export type MadeSlice = 'identity' | 'voice' | 'stance' | 'rails';

/** `living`: what the agent learned about how to behave with this person. */
export type SliceName = MadeSlice | 'living';

/** What a person's sentence says of the agent, in fields. */
export interface PersonaProfile {
  /** What clients call the persona: a few words. */
  readonly label: string;
  /** What the agent calls itself; empty where nobody said. */
  readonly name: string;
  /** What it is like, in one sentence. */
  readonly summary: string;
  /** At most six, a few words each. */
  readonly traits: readonly string[];
  readonly verbosity: 'brief' | 'balanced' | 'detailed';
  readonly humor: 'none' | 'light' | 'playful';
  readonly formality: 'casual' | 'neutral' | 'formal';
  /** The language it answers in, as a tag (`de`); empty: that of the person. */
  readonly language: string;
  /** How it calls the person; empty where nobody said. */
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
  /** Tokens, estimated, and how many it may have. */
  readonly tokens: number;
  readonly maxTokens: number;
  /** The file says something else, which this service did not write: it does not count until a person takes it. */
  readonly outside?: { readonly text: string; readonly hash: string };
}

export type BootstrapState = 'pending' | 'running' | 'done' | 'skipped';

/** A run that makes a persona. */
export interface BootstrapStatus {
  readonly state: BootstrapState;
  /** What was asked for last, and is not made yet: the run was cut off or failed. */
  readonly input?: string;
  readonly stage?: BootstrapStage;
  /** Why the last run came to nothing. */
  readonly error?: string;
  /** Why parts of what it made were made without the model. */
  readonly notice?: string;
}

export type BootstrapStage = 'profile' | 'soul' | 'artifacts' | 'apply' | 'done' | 'failed';

export interface PersonaState {
  /** 0: there never was one. */
  readonly revision: number;
  readonly label: string;
  /** Of the persona that is in force; left out where there is none. */
  readonly profile?: PersonaProfile;
  /** None where there is no persona. */
  readonly slices: readonly PersonaSlice[];
  /** What plugins made for it, by name: `ui_theme`. */
  readonly artifacts: Readonly<Record<string, unknown>>;
  readonly bootstrap: BootstrapStatus;
}

export type PersonaChange = 'bootstrap' | 'skip' | 'edit' | 'revert' | 'reset' | 'learn' | 'outside' | 'artifact';

/** What a slice said from a revision on. */
export interface SliceVersion {
  readonly version: number;
  /** ISO 8601 UTC. */
  readonly at: string;
  readonly by: PersonaChange;
  readonly source: SliceSource;
  /** For people; where it comes from. */
  readonly why: string;
  readonly text: string;
}

/** The whole persona from a revision on. */
export interface PersonaVersion {
  readonly version: number;
  /** ISO 8601 UTC. */
  readonly at: string;
  readonly by: PersonaChange;
  /** For people; where it comes from. */
  readonly why: string;
  /** What it was called; empty where there was none. */
  readonly label: string;
}

export interface Persona {
  /** What clients call it; empty where there is none, or where it is off in that chat. */
  label(chatId?: string): Promise<string>;
  read(): Promise<PersonaState>;
  /** The newest first. Rejects with `not_found`. */
  history(name: SliceName): Promise<readonly SliceVersion[]>;
  /** A person's own text. Rejects with `conflict` where `base` is not the revision of the slice, with `invalid_request` for a text that cannot be taken. */
  edit(name: SliceName, edit: { readonly text: string; readonly base: number }): Promise<PersonaState>;
  /** The text that a slice had in a version; a new revision. Rejects with `not_found`. */
  revert(name: SliceName, version: number): Promise<PersonaState>;
  /** The newest first. */
  versions(): Promise<readonly PersonaVersion[]>;
  /** All of the persona as it was in a version; a new revision. Rejects with `not_found`. */
  restore(version: number): Promise<PersonaState>;
  /**
   * Keeps one sentence on how to behave with this person; the oldest that was learned goes where there is no room. Rejects with
   * `invalid_request` for what is no such sentence.
   * @param source for people: `said on 2026-11-22`
   */
  learn(sentence: string, source: string): Promise<PersonaState>;
  /** Decides about a text that stands in a file and that this service did not write. Rejects with `conflict` where it is another one by now. */
  decideOutside(name: SliceName, decision: { readonly hash: string; readonly isTaken: boolean }): Promise<PersonaState>;
  /** What a plugin made for the persona, by the name of its artifact; `undefined` where there is nothing. */
  artifact(name: string): Promise<unknown>;
  /** Checked by the artifact's own plugin; `null` takes it away. Rejects with `invalid_request`, `not_found` for a name that nobody contributes. */
  setArtifact(name: string, value: unknown): Promise<PersonaState>;
  /** Artifact `ui_theme`. */
  theme(): Promise<unknown>;
  setTheme(theme: unknown): Promise<PersonaState>;
}

/** How an artifact asks a model: with the limits, repeats and repairs of the persona's own calls. */
export interface ArtifactCall extends Pick<ModelRequest, 'system' | 'maxTokens'> {
  /** What the person wrote and the profile are data in it. */
  readonly text: string;
}

export interface ArtifactMaking {
  readonly profile: PersonaProfile;
  /** What the person wrote. */
  readonly input: string;
  /** Aborted when the run ends. */
  readonly signal: AbortSignal;
  /** No model answers here: what is made, is made without one. */
  readonly isOffline: boolean;
  /** The JSON of a model's answer; `undefined` where none came that is JSON. Streams its text as previews. Contract: rejects only when the signal is aborted. */
  ask(call: ArtifactCall): Promise<unknown>;
}

/**
 * Contribution point `persona_artifact`: something that is made with a persona and comes into force with it, whole or not at all. It is kept
 * as JSON beside the slices, in `<name>.json`.
 */
export interface PersonaArtifact {
  /** snake_case, unique: `ui_theme`. */
  readonly name: string;
  /** What it is for a sentence. One that rejects, or answers what `check` refuses, is replaced by {@link PersonaArtifact.scaffold}. */
  make(making: ArtifactMaking): Promise<unknown>;
  /** What it is without a model and at once. Contract: never throws; `check` takes it. */
  scaffold(profile: PersonaProfile, input: string): unknown;
  /** The value as it is kept, or a sentence that says what is wrong with it. Contract: pure. */
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
    /** A persona is being made. `preview`: the text of the artifact so far, as a whole. */
    persona_progress: {
      readonly stage: BootstrapStage;
      readonly artifact?: string;
      readonly preview?: string;
      readonly error?: string;
      readonly notice?: string;
    };
    /** Another persona is in force, or a part of it, or something in its files waits for a person. */
    persona_changed: { readonly label: string; readonly revision: number; readonly change: PersonaChange };
  }
}
