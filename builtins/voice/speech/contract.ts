// What others hear of speech.

/** A part of a text can be heard: its clip is there, or on its way. */
export interface Spoke {
  readonly chatId: string;
  readonly turnId?: string;
  /** Of the reply that is read aloud; left out where a call asked for it. */
  readonly messageId?: string;
  /** Who plays it; left out where nobody asked for spoken replies, and then it is only there to be played. */
  readonly speakerId?: string;
  /** What is of an earlier epoch is not to be heard any more. */
  readonly epoch: number;
  /** From 0 in each epoch, without a gap. */
  readonly seq: number;
  readonly clipId: string;
  readonly url: string;
  /** As it is said. */
  readonly text: string;
  /** `null` while it is not known. */
  readonly durationSec: number | null;
}

/** A part that cannot be heard; those behind it follow. */
export interface SpeakFailed extends Pick<Spoke, 'chatId' | 'turnId' | 'messageId' | 'speakerId' | 'epoch' | 'seq' | 'text'> {
  readonly code: string;
  readonly message: string;
}

/** Who reads the replies of a chat aloud, and from which epoch on: whatever is older stops now. */
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
