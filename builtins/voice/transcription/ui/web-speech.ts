// The browser's own recogniser, for a look at what it makes of the words while they are spoken.
import { oneLine } from 'agent-harness/lib/text';

interface Recogniser {
  continuous: boolean;
  interimResults: boolean;
  lang: string;
  onresult: ((event: { readonly results: ArrayLike<ArrayLike<{ readonly transcript: string }>> }) => void) | null;
  onerror: (() => void) | null;
  start(): void;
  abort(): void;
}
type RecogniserClass = new () => Recogniser;

export interface Preview {
  close(): void;
}

/** `undefined` where the browser has none. It may send the sound to its maker. */
export function openPreview(onText: (text: string) => void): Preview | undefined {
  const { SpeechRecognition, webkitSpeechRecognition } = globalThis as { SpeechRecognition?: RecogniserClass; webkitSpeechRecognition?: RecogniserClass };
  const Found = SpeechRecognition ?? webkitSpeechRecognition;
  if (!Found) return undefined;
  const recogniser = new Found();
  recogniser.continuous = true;
  recogniser.interimResults = true;
  recogniser.lang = navigator.language;
  recogniser.onresult = ({ results }) => onText(oneLine(Array.from(results, (one) => one[0]?.transcript ?? '').join(' ')));
  // What was recorded decides, so that a preview fails is nobody's concern.
  recogniser.onerror = () => undefined;
  try {
    recogniser.start();
  } catch {
    return undefined;
  }
  return {
    close() {
      recogniser.onresult = null;
      recogniser.abort();
    },
  };
}
