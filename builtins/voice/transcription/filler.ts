// Removes phrases that transcription models invent for silence; the phrases come from films in their training data.
import type { Segment } from 'agent-harness/builtins/voice/audio-engines';
import { oneLine } from '#lib/text';

/** Minimum probability of silence, from 0 to 1, at which a phrase is removed. */
const unspoken = 0.6;

const maxFiller = 200;

const fillers: readonly RegExp[] = [
  /^(?:thank you|thanks)(?: (?:so|very) much)?(?: for (?:watching|listening|your attention))?(?: (?:and )?(?:i'll )?see you (?:in the )?next (?:time|video))?$/,
  /^(?:please )?(?:like and )?subscribe(?: to (?:my|our|the) channel)?$/,
  /^(?:see you (?:in the )?next (?:time|video)|bye(?: bye)?|you|okay|so|uh|um|hmm)$/,
  /^(?:subtitles|captions?|transcription|transcript|translated|untertitel(?:ung)?|sous titres|sottotitoli|subt[ií]tulos|legendas|ondertiteling|napisy)\b.*\b(?:by|der|im auftrag|r[eé]alis|creati|por|pela|stworzone|amara|community|zdf|ard|bbc)\b.*$/,
  /^(?:vielen dank|danke)(?: f[uü]rs? (?:zuschauen|zuh[oö]ren|ihre aufmerksamkeit))?$/,
  /^(?:merci d'avoir regard[eé](?: cette vid[eé]o)?|gracias por ver(?: el v[ií]deo)?|obrigado por assistir|grazie per la visione)$/,
  /^(?:ご視聴ありがとうございました|谢谢观看|請不吝點贊訂閱.*|감사합니다|시청해 주셔서 감사합니다|продолжение следует|спасибо за просмотр)$/,
  /^(?:music|applause|laughter|silence|blank audio|♪+)$/,
];

function isFiller(text: string): boolean {
  const letters = text.toLowerCase().replace(/[’`]/g, "'");
  const plain = oneLine(letters.replace(/[[\](){}.,!?…:;"“”*。！？、-]+/g, ' '), maxFiller);
  return plain === '' || fillers.some((filler) => filler.test(plain));
}

/** Removes such phrases only if the engine doubts them, because people also say them. */
export function withoutFiller<T extends { readonly text: string; readonly segments?: readonly Segment[] }>(transcript: T): T {
  const { segments } = transcript;
  if (!segments?.some(({ noSpeech }) => noSpeech !== undefined)) return transcript;
  const kept = segments.filter(({ text, noSpeech }) => noSpeech === undefined || noSpeech < unspoken || !isFiller(text));
  if (kept.length === segments.length) return transcript;
  return { ...transcript, segments: kept, text: kept.map(({ text }) => text).join(' ') };
}
