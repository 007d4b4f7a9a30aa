// Defines the contract of audio engines: engines for transcription and speech that plugins contribute, and the selected engine of each kind.

export type AudioKind = 'transcription' | 'speech';

/** Availability of an engine. Requested often, so slow checks must be cached. */
export type EngineState =
  | { readonly isUsable: true }
  /** `reason`: sentence that instructs the user what to do. */
  | { readonly isUsable: false; readonly code: 'no_key' | 'not_installed' | 'not_offered' | 'switched_off'; readonly reason: string };

/** The principal on whose behalf an engine works; recorded together with the cost. */
export interface EngineCaller {
  readonly plugin: string;
  readonly chatId?: string;
  readonly turnId?: string;
}

/** A recording on this machine. */
export interface Sound {
  /** Path of the file, for programs that read files. Contract: read-only. */
  readonly path: string;
  readonly mimeType: string;
  /** Size in bytes. */
  readonly size: number;
  /** Duration, if the file states it. */
  readonly seconds?: number;
  /** Returns the complete content. */
  read(): Promise<Buffer>;
}

export interface TranscriptionRequest {
  readonly sound: Sound;
  /** Spoken language (`en`, `pt-BR`); default: detected by the engine if possible. */
  readonly language?: string;
  /** Words and names that are likely to occur; ignored by engines that do not support this. */
  readonly prompt?: string;
  /** Granularity of the times in the reply; engines that provide no times omit the segments. */
  readonly timestamps: 'none' | 'segment' | 'word';
  readonly caller: EngineCaller;
}

/** A part of the text with its times in seconds. */
export interface Segment {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** Probability that this segment contains no speech, 0 to 1, if the engine provides it. */
  readonly noSpeech?: number;
}

export interface Transcript {
  readonly text: string;
  /** Omitted if neither the engine nor the file states the duration. */
  readonly durationSec?: number;
  /** Language that was detected by the engine or requested; empty if unknown. */
  readonly language: string;
  /** Cost in USD; `null` if unknown. A local engine costs 0. */
  readonly cost: number | null;
  /** The finest available granularity up to the requested one. */
  readonly segments?: readonly Segment[];
  /** Model that transcribed the recording, by its provider's name. */
  readonly model?: string;
}

export interface TranscriptionEngine {
  /** Rejects with an error whose code identifies the remedy, or with the signal's reason. */
  transcribe(request: TranscriptionRequest, signal: AbortSignal): Promise<Transcript>;
}

export interface SpeechRequest {
  readonly text: string;
  /** One of {@link SpeechEngine.voices}. An unknown voice is replaced with an existing one. */
  readonly voice: string;
  /** Speed relative to the normal speed of the voice, 0.25 to 4. */
  readonly speed?: number;
  readonly caller: EngineCaller;
}

export interface SpokenAudio {
  readonly mimeType: string;
  /** Chunks may arrive while the speech is being produced. Rejects as {@link SpeechEngine.synthesize} does. */
  readonly audio: AsyncIterable<Uint8Array>;
  /** Cost in USD, `null` if unknown; valid once the audio has ended. */
  cost(): number | null;
}

export interface Voice {
  readonly id: string;
  /** Display name. */
  readonly title: string;
  /** Language tag such as `en-GB`, if the voice has a single language. */
  readonly language?: string;
}

export interface SpeechEngine {
  /** Rejects with an error whose code identifies the remedy, or with the signal's reason. */
  synthesize(request: SpeechRequest, signal: AbortSignal): Promise<SpokenAudio>;
  /** Omitted if the voices are not known. */
  voices?(): Promise<readonly Voice[]>;
}

interface EngineOf {
  transcription: TranscriptionEngine;
  speech: SpeechEngine;
}

/** Contribution point `audio_engine`. */
export type AudioEngine<K extends AudioKind = AudioKind> = {
  [Kind in K]: {
    readonly kind: Kind;
    /** kebab-case name, unique within its kind; the value of the setting. */
    readonly name: string;
    /** Display name. */
    readonly title: string;
    /** Whether audio and text stay on this machine or are sent to a provider. */
    readonly place: 'here' | 'provider';
    /** The available engine with the lowest rank is used: 10 for a provider with a key, 20 or more for local programs. */
    readonly rank: number;
    /** Contract: must not wait for the network, and never rejects. */
    state(): EngineState | Promise<EngineState>;
    /** Returns the host that receives the audio. Only for engines with the place `provider`; must not wait for the network. */
    goesTo?(): string | undefined | Promise<string | undefined>;
    /** Returns an identifier of other factors that affect the results, such as the model; results of another variant are not reused. */
    variant?(): string;
    /** Loads the code on first use. */
    load(): Promise<EngineOf[Kind]>;
  };
}[K];

/** Description of an engine for users. */
export interface KnownEngine {
  readonly name: string;
  readonly title: string;
  readonly plugin: string;
  readonly place: AudioEngine['place'];
  readonly goesTo?: string;
  readonly state: EngineState;
}

/** A selected engine with its description for users. */
export interface EngineInUse<K extends AudioKind> {
  readonly info: KnownEngine;
  readonly engine: EngineOf[K];
  /** See {@link AudioEngine}; empty if there is no variant. */
  readonly variant: string;
}

export interface AudioEngines {
  /** Returns all engines of a kind, in the order in which they are tried. */
  engines(kind: AudioKind): Promise<readonly KnownEngine[]>;
  /** Returns the available engine, if any, without loading it. */
  inUse(kind: AudioKind): Promise<KnownEngine | undefined>;
  /** Returns the selected engine. Rejects with `AUDIO_ENGINES_ERR_NO_ENGINE` (503), with a reason and a remedy for each engine. */
  engine<K extends AudioKind>(kind: K): Promise<EngineInUse<K>>;
}

declare module 'agent-harness/kernel' {
  interface Services {
    audioEngines: AudioEngines;
  }
  interface ContributionPoints {
    audio_engine: AudioEngine;
  }
}
