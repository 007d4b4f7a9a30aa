// Previews spoken words with the browser's own speech recognition.
import { oneLine } from '#lib/text';

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

/** Returns `undefined` if the browser has no speech recognition. A browser may send the audio to its vendor. */
export function openPreview(onText: (text: string) => void): Preview | undefined {
  const { SpeechRecognition, webkitSpeechRecognition } = globalThis as { SpeechRecognition?: RecogniserClass; webkitSpeechRecognition?: RecogniserClass };
  const Found = SpeechRecognition ?? webkitSpeechRecognition;
  if (!Found) return undefined;
  const recogniser = new Found();
  recogniser.continuous = true;
  recogniser.interimResults = true;
  recogniser.lang = navigator.language;
  recogniser.onresult = ({ results }) => onText(oneLine(Array.from(results, (one) => one[0]?.transcript ?? '').join(' ')));
  // A failed preview does not matter, because the recording is what is transcribed.
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
