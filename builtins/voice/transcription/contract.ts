// What others hear of transcription.

/** A recording became text. */
export interface Transcribed {
  readonly chatId: string;
  /** Of a call by the agent. */
  readonly turnId?: string;
  readonly attachmentId: string;
  readonly text: string;
  /** `null` where nobody knows. */
  readonly durationSec: number | null;
  readonly language: string;
  /** USD; `null` where nobody knows. */
  readonly cost: number | null;
  /** The engine that wrote it down. */
  readonly engine: string;
}

declare module 'agent-harness/kernel' {
  interface Events {
    transcription: Transcribed;
  }
}
