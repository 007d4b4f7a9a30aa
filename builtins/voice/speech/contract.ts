// Defines the contract of speech: its events.

/** A part of a text can be heard: its clip exists, or is being produced. */
export interface Spoke {
  readonly chatId: string;
  readonly turnId?: string;
  /** Id of the reply that is read aloud; left out if a call requested it. */
  readonly messageId?: string;
  /** The client that plays it; left out if no client requested spoken replies: then it is only available for playing. */
  readonly speakerId?: string;
  /** Parts of an earlier epoch must not be played any more. */
  readonly epoch: number;
  /** From 0 in each epoch, without a gap. */
  readonly seq: number;
  readonly clipId: string;
  readonly url: string;
  /** As it is spoken. */
  readonly text: string;
  /** `null` while unknown. */
  readonly durationSec: number | null;
}

/** A part that cannot be played; those after it follow. */
export interface SpeakFailed extends Pick<Spoke, 'chatId' | 'turnId' | 'messageId' | 'speakerId' | 'epoch' | 'seq' | 'text'> {
  readonly code: string;
  readonly message: string;
}

/** Who reads the replies of a chat aloud, and from which epoch on: anything older stops now. */
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
