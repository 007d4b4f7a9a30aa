// Who turns speech into text and text into speech: engines as contributions, and the one of each kind that is in use.

export type AudioKind = 'transcription' | 'speech';

/** Whether an engine can be used now. Asked often: what it takes longer to find out is remembered. */
export type EngineState =
  | { readonly isUsable: true }
  /** `reason`: a sentence for people that says what to do. */
  | { readonly isUsable: false; readonly code: 'no_key' | 'not_installed' | 'not_offered' | 'switched_off'; readonly reason: string };

/** On whose behalf an engine works; what is booked says it. */
export interface EngineCaller {
  readonly plugin: string;
  readonly chatId?: string;
  readonly turnId?: string;
}

/** A recording on this machine. */
export interface Sound {
  /** Where it stands, for programs that read files. Contract: it is only read. */
  readonly path: string;
  readonly mimeType: string;
  /** In bytes. */
  readonly size: number;
  /** Where the file says how long it is. */
  readonly seconds?: number;
  /** All of it. */
  read(): Promise<Buffer>;
}

export interface TranscriptionRequest {
  readonly sound: Sound;
  /** What is spoken (`en`, `pt-BR`); left out, the engine finds out where it can. */
  readonly language?: string;
  /** Words and names that are likely to be in it. An engine that takes none leaves it alone. */
  readonly prompt?: string;
  /** How finely the reply says what was said when; an engine that cannot tell leaves the segments out. */
  readonly timestamps: 'none' | 'segment' | 'word';
  readonly caller: EngineCaller;
}

/** What was said from when to when, in seconds. */
export interface Segment {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  /** How likely nobody spoke here, from 0 to 1, where the engine says so. */
  readonly noSpeech?: number;
}

export interface Transcript {
  readonly text: string;
  /** Left out where neither the engine nor the file says. */
  readonly durationSec?: number;
  /** As the engine heard it, or as it was asked for; empty where neither is known. */
  readonly language: string;
  /** USD; `null` where nobody knows. An engine of this machine costs 0. */
  readonly cost: number | null;
  /** The finest that it has of what was asked for. */
  readonly segments?: readonly Segment[];
  /** What wrote it down, by the name of whoever offers it. */
  readonly model?: string;
}

export interface TranscriptionEngine {
  /** Rejects with an error whose code says what to do, or with the signal's reason. */
  transcribe(request: TranscriptionRequest, signal: AbortSignal): Promise<Transcript>;
}

export interface SpeechRequest {
  readonly text: string;
  /** As {@link SpeechEngine.voices} names it. One that the engine does not have is answered in a voice that it has. */
  readonly voice: string;
  /** 1 is the voice's own; 0.25 to 4. */
  readonly speed?: number;
  readonly caller: EngineCaller;
}

export interface SpokenAudio {
  readonly mimeType: string;
  /** May arrive while the rest is still made. Rejects like {@link SpeechEngine.synthesize}. */
  readonly audio: AsyncIterable<Uint8Array>;
  /** USD, `null` where nobody knows; to be asked when the audio has ended. */
  cost(): number | null;
}

export interface Voice {
  readonly id: string;
  /** For people. */
  readonly title: string;
  /** `en-GB`, where it is for one language. */
  readonly language?: string;
}

export interface SpeechEngine {
  /** Rejects with an error whose code says what to do, or with the signal's reason. */
  synthesize(request: SpeechRequest, signal: AbortSignal): Promise<SpokenAudio>;
  /** Left out where nobody knows which there are. */
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
    /** kebab-case, unique within its kind; what a person chooses it by. */
    readonly name: string;
    /** For people. */
    readonly title: string;
    /** Where the sound, or the text, goes: it stays on this machine, or a provider gets it. */
    readonly place: 'here' | 'provider';
    /** Of those that can be used, the lowest is: a provider that the person has a key for 10, programs of this machine from 20 up. */
    readonly rank: number;
    /** Contract: must not wait for the network, and never rejects. */
    state(): EngineState | Promise<EngineState>;
    /** Who gets the sound: a host. Only of one whose place is `provider`; must not wait for the network. */
    goesTo?(): string | undefined | Promise<string | undefined>;
    /** What else decides about its answers, such as its model: what it said under another one is asked for again. */
    variant?(): string;
    /** Code on first use. */
    load(): Promise<EngineOf[Kind]>;
  };
}[K];

/** What people are told of an engine. */
export interface KnownEngine {
  readonly name: string;
  readonly title: string;
  readonly plugin: string;
  readonly place: AudioEngine['place'];
  readonly goesTo?: string;
  readonly state: EngineState;
}

/** An engine with what people are told of it. */
export interface EngineInUse<K extends AudioKind> {
  readonly info: KnownEngine;
  readonly engine: EngineOf[K];
  /** See {@link AudioEngine}; empty where it says none. */
  readonly variant: string;
}

export interface AudioEngines {
  /** All of a kind, in the order in which they are tried. */
  engines(kind: AudioKind): Promise<readonly KnownEngine[]>;
  /** Whether there is one to use, without loading it. */
  inUse(kind: AudioKind): Promise<KnownEngine | undefined>;
  /** The one in use. Rejects with `AUDIO_ENGINES_ERR_NO_ENGINE` (503), which says of each why not and what to do. */
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
