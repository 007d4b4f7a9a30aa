// Defines the contract of audio engines: contributed engines for transcription and speech, and the selected engine of each kind.

export type AudioKind = 'transcription' | 'speech';

/** Whether an engine can be used now. Called often: results that take longer to determine are cached. */
export type EngineState =
  | { readonly isUsable: true }
  /** `reason`: a sentence for users that says what to do. */
  | { readonly isUsable: false; readonly code: 'no_key' | 'not_installed' | 'not_offered' | 'switched_off'; readonly reason: string };

/** On whose behalf an engine works; recorded with its cost. */
export interface EngineCaller {
  readonly plugin: string;
  readonly chatId?: string;
  readonly turnId?: string;
}

/** A recording on this machine. */
export interface Sound {
  /** Its path, for programs that read files. Contract: it is only read. */
  readonly path: string;
  readonly mimeType: string;
  /** In bytes. */
  readonly size: number;
  /** If the file states its length. */
  readonly seconds?: number;
  /** The complete content. */
  read(): Promise<Buffer>;
}

export interface TranscriptionRequest {
  readonly sound: Sound;
  /** The spoken language (`en`, `pt-BR`); when left out, the engine detects it if it can. */
  readonly language?: string;
  /** Words and names that are likely to occur. An engine without support ignores it. */
  readonly prompt?: string;
  /** Granularity of times in the reply; an engine without times leaves the segments out. */
  readonly timestamps: 'none' | 'segment' | 'word';
  readonly caller: EngineCaller;
}

/** A piece of the text with its times, in seconds. */
export interface Segment {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** Probability that this segment has no speech, from 0 to 1, if the engine provides it. */
  readonly noSpeech?: number;
}

export interface Transcript {
  readonly text: string;
  /** Left out if neither the engine nor the file states it. */
  readonly durationSec?: number;
  /** As detected by the engine, or as requested; empty if neither is known. */
  readonly language: string;
  /** In USD; `null` if unknown. An engine on this machine costs 0. */
  readonly cost: number | null;
  /** The finest available granularity up to the requested one. */
  readonly segments?: readonly Segment[];
  /** The model that transcribed it, under its provider's name. */
  readonly model?: string;
}

export interface TranscriptionEngine {
  /** Rejects with an error whose code says what to do, or with the signal's reason. */
  transcribe(request: TranscriptionRequest, signal: AbortSignal): Promise<Transcript>;
}

export interface SpeechRequest {
  readonly text: string;
  /** As named by {@link SpeechEngine.voices}. An unknown one is replaced by a voice that the engine has. */
  readonly voice: string;
  /** 1 is the voice's own; 0.25 to 4. */
  readonly speed?: number;
  readonly caller: EngineCaller;
}

export interface SpokenAudio {
  readonly mimeType: string;
  /** May arrive while the rest is still being produced. Rejects like {@link SpeechEngine.synthesize}. */
  readonly audio: AsyncIterable<Uint8Array>;
  /** In USD, `null` if unknown; valid when the audio has ended. */
  cost(): number | null;
}

export interface Voice {
  readonly id: string;
  /** For users. */
  readonly title: string;
  /** `en-GB`, if it is for one language. */
  readonly language?: string;
}

export interface SpeechEngine {
  /** Rejects with an error whose code says what to do, or with the signal's reason. */
  synthesize(request: SpeechRequest, signal: AbortSignal): Promise<SpokenAudio>;
  /** Left out if the voices are unknown. */
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
    /** kebab-case, unique within its kind; the value of the setting. */
    readonly name: string;
    /** For users. */
    readonly title: string;
    /** Destination of the audio, or the text: it stays on this machine, or is sent to a provider. */
    readonly place: 'here' | 'provider';
    /** The usable one with the lowest rank is used: a provider with a key 10, programs of this machine from 20 up. */
    readonly rank: number;
    /** Contract: must not wait for the network, and never rejects. */
    state(): EngineState | Promise<EngineState>;
    /** The host that gets the audio. Only for one whose place is `provider`; must not wait for the network. */
    goesTo?(): string | undefined | Promise<string | undefined>;
    /** What else affects its results, such as its model: results under another variant are not reused. */
    variant?(): string;
    /** Loads the code on first use. */
    load(): Promise<EngineOf[Kind]>;
  };
}[K];

/** The information about an engine for users. */
export interface KnownEngine {
  readonly name: string;
  readonly title: string;
  readonly plugin: string;
  readonly place: AudioEngine['place'];
  readonly goesTo?: string;
  readonly state: EngineState;
}

/** An engine with its information for users. */
export interface EngineInUse<K extends AudioKind> {
  readonly info: KnownEngine;
  readonly engine: EngineOf[K];
  /** See {@link AudioEngine}; empty if it has none. */
  readonly variant: string;
}

export interface AudioEngines {
  /** All of a kind, in the order in which they are tried. */
  engines(kind: AudioKind): Promise<readonly KnownEngine[]>;
  /** The usable one, if any, without loading it. */
  inUse(kind: AudioKind): Promise<KnownEngine | undefined>;
  /** The one in use. Rejects with `AUDIO_ENGINES_ERR_NO_ENGINE` (503), with the reason for each and what to do. */
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
