// Defines the contract of transcription: its event.

/** A recording was transcribed. */
export interface Transcribed {
  readonly chatId: string;
  /** Turn of the agent's call. */
  readonly turnId?: string;
  readonly attachmentId: string;
  readonly text: string;
  /** Duration in seconds; `null` if unknown. */
  readonly durationSec: number | null;
  readonly language: string;
  /** Cost in USD; `null` if unknown. */
  readonly cost: number | null;
  /** Engine of the transcription. */
  readonly engine: string;
}

declare module 'agent-harness/kernel' {
  interface Events {
    transcription: Transcribed;
  }
}
