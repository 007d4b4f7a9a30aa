// Synthesises speech with a provider: sends one request, and forwards the audio bytes as they arrive.
import type { SpeechEngine, SpeechRequest, SpokenAudio } from 'agent-harness/builtins/voice/audio-engines';
import { waveHead } from '#lib/sound';
import { textStart } from '#lib/text';
import { isRecord, jsonOf } from '#lib/values';
import type { Models, ProviderReply, ProviderRequest } from 'agent-harness/plugins/models';
import type { HostedSettings } from '../config.ts';
import type { MakeError } from '../errors.ts';
import { explain, refusalOf } from '../explain.ts';
import { hostOf, type HostedEndpoint } from '../hosted-endpoint.ts';
import { createByteQueue } from './byte-queue.ts';
import { pcmRate, speechTypeOf } from './sound-types.ts';

/** Prices in USD per million characters. */
const prices: readonly (readonly [name: RegExp, perMillion: number])[] = [
  [/kokoro/, 3.5],
  [/^tts-1-hd/, 30],
  [/^tts-1/, 15],
];

/** Returns the price in USD; `undefined` if unknown, which is different from zero. */
function speechPriceOf(model: string, chars: number): number | undefined {
  const name = model.slice(model.lastIndexOf('/') + 1).toLowerCase();
  const perMillion = prices.find(([pattern]) => pattern.test(name))?.[1];
  return perMillion === undefined ? undefined : (perMillion * chars) / 1_000_000;
}

export interface HostedSpeechParts {
  /** Values of the settings; read on every use, because they may change. */
  readonly settings: HostedSettings;
  readonly place: HostedEndpoint;
  models(): Models;
  readonly makeError: MakeError;
}

/** Maximum length of text that such routes accept, in UTF-16 code units. */
const longestInput = 4_096;
/** Fallback voice, which most servers of this kind provide. */
const commonVoice = 'alloy';
/** Default voice of the settings. */
const unchosenVoice = 'af_sky';

interface Target {
  readonly baseURL: string;
  readonly host: string;
  readonly model: string;
  readonly isPaid: boolean;
}

export function createHostedSpeech({ settings, place, models, makeError }: HostedSpeechParts): SpeechEngine {
  /** Addresses and models that do not support the default voice. */
  const withoutUnchosen = new Set<string>();

  function bodyOf(request: SpeechRequest, model: string, voice: string): ProviderRequest['body'] {
    const { text, speed } = request;
    return { json: { model, input: text, voice, response_format: settings.speechFormat, ...(speed === undefined || speed === 1 ? {} : { speed }) } };
  }

  function voiceFor({ voice }: SpeechRequest, { baseURL, model }: Target): string {
    return voice === unchosenVoice && withoutUnchosen.has(`${baseURL} ${model}`) ? commonVoice : voice;
  }

  /** Sends a request. Resolves with the first audio. */
  async function ask(request: SpeechRequest, target: Target, voice: string, signal: AbortSignal): Promise<SpokenAudio> {
    const { model, host } = target;
    const { caller, text } = request;
    const format = settings.speechFormat;
    const endpoint = place.endpoint();
    const price = target.isPaid ? speechPriceOf(model, text.length) : undefined;
    const queue = createByteQueue();
    let cost: number | null = null;
    let mimeType: string | undefined;
    let hasBegun = (): void => undefined;
    let hasFailed = (_fault: unknown): void => undefined;
    const begun = new Promise<void>((resolve, reject) => ([hasBegun, hasFailed] = [resolve, reject]));

    function onBytes(piece: Buffer, mediaType: string): void {
      const type = speechTypeOf(mediaType, format);
      if (!type) return;
      if (mimeType === undefined && type === 'audio/pcm') queue.add(waveHead(pcmRate));
      mimeType ??= type === 'audio/pcm' ? 'audio/wav' : type;
      queue.add(piece);
      hasBegun();
    }

    async function send(): Promise<void> {
      const reply = await models().request(
        {
          ...{ path: '/audio/speech', model, purpose: 'voice', ...caller, body: bodyOf(request, model, voice), onBytes },
          ...(endpoint ? { endpoint } : {}),
          ...(price === undefined ? {} : { mostCost: price, price: () => price }),
        },
        signal,
      );
      cost = reportedCost(reply) ?? price ?? null;
      if (mimeType === undefined) throw makeError('NO_SPEECH', { host, why: whatItIs(reply) });
    }

    send().then(queue.end, (fault: unknown) => {
      queue.fail(fault);
      hasFailed(fault);
    });
    await begun;
    return { mimeType: mimeType ?? '', audio: queue.read(), cost: () => cost };
  }

  return {
    async synthesize(request, signal) {
      const model = settings.speechModel;
      const route = await place.route(model);
      const target: Target = { baseURL: route.baseURL, host: hostOf(route.baseURL), model, isPaid: route.apiKey !== undefined };
      const { host } = target;
      if (request.text.length > longestInput) throw makeError('TEXT_REFUSED', { host, why: `it is longer than ${longestInput} characters` });
      const voice = voiceFor(request, target);
      try {
        return await ask(request, target, voice, signal).catch((fault: unknown) => {
          const refusal = refusalOf(fault);
          if (voice !== unchosenVoice || !refusal || !/voice/i.test(refusal.why)) throw fault;
          withoutUnchosen.add(`${target.baseURL} ${model}`);
          return ask(request, target, commonVoice, signal);
        });
      } catch (fault) {
        if (refusalOf(fault)?.isMissing) place.hasNoRoutes(target.baseURL);
        throw explain(fault, { host, model, key: 'AGENT_API_KEY' }, makeError);
      }
    },
  };
}

function reportedCost({ mediaType, bytes }: ProviderReply): number | undefined {
  const answer = mediaType === 'application/json' ? jsonOf(bytes.toString()) : undefined;
  const usage = isRecord(answer) && isRecord(answer['usage']) ? answer['usage'] : {};
  return typeof usage['cost'] === 'number' && usage['cost'] >= 0 ? usage['cost'] : undefined;
}

function whatItIs({ mediaType, bytes }: ProviderReply): string {
  if (bytes.length === 0) return 'it is empty';
  return mediaType === '' ? 'it states no type' : `it is '${textStart(mediaType, 80)}'`;
}
