// Defines the contract of transcription: its event.

/** A recording was transcribed. */
export interface Transcribed {
  readonly chatId: string;
  /** Id of the turn in which the agent made the call. */
  readonly turnId?: string;
  readonly attachmentId: string;
  readonly text: string;
  /** Duration in seconds; `null` if unknown. */
  readonly durationSec: number | null;
  readonly language: string;
  /** Cost in USD; `null` if unknown. */
  readonly cost: number | null;
  /** Engine that transcribed the recording. */
  readonly engine: string;
}

declare module 'agent-harness/kernel' {
  interface Events {
    transcription: Transcribed;
  }
}
