// Defines the contract of speech: its events.

/** A part of a text can be played: its clip exists or is being produced. */
export interface Spoke {
  readonly chatId: string;
  readonly turnId?: string;
  /** Id of the reply; omitted for a tool call. */
  readonly messageId?: string;
  /** Client that plays the part; omitted if no client requested spoken replies. */
  readonly speakerId?: string;
  /** Parts of an earlier epoch must not be played. */
  readonly epoch: number;
  /** Counts from 0 in each epoch, without gaps. */
  readonly seq: number;
  readonly clipId: string;
  readonly url: string;
  /** Spoken form of the text. */
  readonly text: string;
  /** Duration in seconds; `null` while it is unknown. */
  readonly durationSec: number | null;
}

/** A part that cannot be played; playback continues with the next part. */
export interface SpeakFailed extends Pick<Spoke, 'chatId' | 'turnId' | 'messageId' | 'speakerId' | 'epoch' | 'seq' | 'text'> {
  readonly code: string;
  readonly message: string;
}

/** The client that speaks a chat has changed. Playback of parts from epochs before `epoch` stops now. */
export interface SpeakerChanged {
  readonly chatId: string;
  readonly speakerId: string | null;
  readonly epoch: number;
  readonly reason: 'claimed' | 'released' | 'message' | 'stop' | 'barge_in' | 'abort';
}

declare module 'agent-harness/kernel' {
  interface Events {
    speak: Spoke;
    speak_failed: SpeakFailed;
    speaker: SpeakerChanged;
  }
}
