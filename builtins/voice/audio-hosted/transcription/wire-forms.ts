// Defines the two request formats for transcription, and detects which format a server expects.
import { randomBytes } from 'node:crypto';
import { soundFormatOf } from '#lib/sound';
import type { Sound, TranscriptionRequest } from 'agent-harness/builtins/voice/audio-engines';
import type { ProviderBody } from 'agent-harness/plugins/models';

export type TranscriptionWire = 'multipart' | 'json';
export const otherWire = (wire: TranscriptionWire): TranscriptionWire => (wire === 'json' ? 'multipart' : 'json');

/** `verbose_json` contains times; some models do not support it. */
export type ReplyFormat = 'json' | 'verbose_json';

export function bodyOf(wire: TranscriptionWire, model: string, format: ReplyFormat, request: TranscriptionRequest): ProviderBody {
  return wire === 'json' ? jsonBody(model, format, request) : formBody(model, format, request);
}

function jsonBody(model: string, format: ReplyFormat, request: TranscriptionRequest): ProviderBody {
  const { sound, language, prompt, timestamps } = request;
  const mark = randomBytes(24).toString('hex');
  const json = {
    model,
    input_audio: { data: mark, format: formatOf(sound) },
    ...(language === undefined ? {} : { language }),
    ...(prompt === undefined ? {} : { prompt }),
    ...(format === 'json' ? {} : { response_format: format, timestamp_granularities: [timestamps] }),
  };
  return { json, files: { [mark]: sound } };
}

function formBody(model: string, format: ReplyFormat, request: TranscriptionRequest): ProviderBody {
  const { sound, language, prompt, timestamps } = request;
  return {
    form: [
      { name: 'file', value: { file: sound, fileName: `clip.${formatOf(sound)}`, mimeType: sound.mimeType } },
      { name: 'model', value: model },
      ...(language === undefined ? [] : [{ name: 'language', value: language }]),
      ...(prompt === undefined ? [] : [{ name: 'prompt', value: prompt }]),
      { name: 'response_format', value: format },
      ...(format === 'json' ? [] : [{ name: 'timestamp_granularities[]', value: timestamps }]),
    ],
  };
}

const formatOf = ({ mimeType }: Sound): string => soundFormatOf(mimeType) ?? 'wav';

/** Returns the first format to try for an unknown address. */
export function firstWire(baseURL: string): TranscriptionWire {
  return /^https:\/\/(?:[^/]+\.)?openrouter\.ai(?:\/|$)/.test(baseURL) ? 'json' : 'multipart';
}

/** HTTP statuses of servers that refuse an unsupported format. */
const statuses: readonly unknown[] = [400, 415, 422];
const wantsJson = /\bjson\b|input_audio/i;
const wantsForm = /multipart|form[- ]?data|boundary|\bfile\b[^.]*(?:required|missing|not provided|expected)|(?:required|missing|expected?|no)\b[^.]*\bfile\b/i;
const ofEither = /content[- ]type|media type|unsupported body/i;
/** Matches messages that reject the content of a request and not its format. */
const ofContent =
  /\bmodel\b|\baudio\b(?!_)|\bclip\b|corrupt|decod|duration|\bformats?\b|too (?:short|long|large|big)|language|prompt|quota|credit|balance|safety|policy|response_format|granularit|timestamp|api key/i;

/** Returns whether a refusal concerns the format of the request and not its content. */
export function isAboutForm(sent: TranscriptionWire, status: unknown, why: string): boolean {
  if (!statuses.includes(status)) return false;
  if (status === 415 || ofEither.test(why)) return true;
  if ((sent === 'multipart' ? wantsJson : wantsForm).test(why)) return true;
  return !ofContent.test(why) && !(sent === 'multipart' ? wantsForm : wantsJson).test(why);
}

/** Returns whether the model can return only text. */
export function isAboutFormat(status: unknown, why: string): boolean {
  return statuses.includes(status) && /response_format|verbose_json|granularit|timestamp/i.test(why);
}
