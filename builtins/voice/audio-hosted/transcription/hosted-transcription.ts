// Transcribes a recording with a provider: sends one request in the format that its address accepts.
import type { Transcript, TranscriptionEngine, TranscriptionRequest } from 'agent-harness/builtins/voice/audio-engines';
import type { ModelRoute, Models, ProviderReply } from 'agent-harness/plugins/models';
import type { HostedSettings } from '../config.ts';
import type { MakeError } from '../errors.ts';
import { hostOf, type HostedEndpoint } from '../hosted-endpoint.ts';
import { explain, refusalOf, type Refusal } from '../explain.ts';
import { priceOf } from './prices.ts';
import { costIn, readReply, type KnownBefore } from './read-reply.ts';
import { bodyOf, firstWire, isAboutForm, isAboutFormat, otherWire, type ReplyFormat, type TranscriptionWire } from './wire-forms.ts';
import type { WireMemory } from './wire-memory.ts';

export interface HostedTranscriptionParts {
  /** Values of the settings; read on every use, because they may change. */
  readonly settings: HostedSettings;
  readonly place: HostedEndpoint;
  readonly wires: WireMemory;
  models(): Models;
  readonly makeError: MakeError;
}

const path = '/audio/transcriptions';
const longestReply = 16 * 1024 * 1024;
/** Assumed minimum number of bytes per second in audio of unknown length; limits the reserved cost while a budget is set. */
const fewestBytesPerSecond = 1_000;

interface Try {
  readonly wire: TranscriptionWire;
  readonly format: ReplyFormat;
}

export function createHostedTranscription({ settings, place, wires, models, makeError }: HostedTranscriptionParts): TranscriptionEngine {
  /** Addresses and models that return only text. */
  const plain = new Set<string>();

  async function send(request: TranscriptionRequest, { wire, format }: Try, before: KnownBefore, signal: AbortSignal): Promise<ProviderReply | Refusal> {
    const { caller, sound } = request;
    const { model } = before;
    const endpoint = place.endpoint();
    const mostCost = priceOf(model, { seconds: before.seconds ?? sound.size / fewestBytesPerSecond });
    try {
      return await models().request(
        {
          ...{ path, model, purpose: 'voice', maxBytes: longestReply, ...caller, body: bodyOf(wire, model, format, request) },
          ...(endpoint ? { endpoint } : {}),
          ...(mostCost === undefined ? {} : { mostCost }),
          price: (reply) => costIn(reply, before),
        },
        signal,
      );
    } catch (fault) {
      const refusal = refusalOf(fault);
      if (refusal) return refusal;
      throw explain(fault, { host: before.host, model, key: 'AGENT_TRANSCRIBE_API_KEY' }, makeError);
    }
  }

  /** Tries the format that the address accepted before; retries once with the other format if the refusal concerns the format. */
  async function exchange(request: TranscriptionRequest, target: ModelRoute, before: KnownBefore, signal: AbortSignal): Promise<ProviderReply | Refusal> {
    const { baseURL } = target;
    const chosen = settings.transcribeWire;
    const learnt = chosen === 'auto' ? await wires.of(baseURL) : chosen;
    const first = learnt ?? firstWire(baseURL);
    const answer = await inEitherFormat(request, target, first, before, signal);
    if (chosen !== 'auto') return answer;
    if (!('fault' in answer)) return (await wires.learn(baseURL, first), answer);
    // An address that accepted this format before probably objects to the content, unless it explicitly names the format.
    if (!isAboutForm(first, answer.status, answer.why) || (learnt !== undefined && answer.status !== 415)) return answer;
    const second = await inEitherFormat(request, target, otherWire(first), before, signal);
    const isUnderstood = !('fault' in second) || !isAboutForm(otherWire(first), second.status, second.why);
    if (isUnderstood) await wires.learn(baseURL, otherWire(first));
    return isUnderstood ? second : answer;
  }

  async function inEitherFormat(
    request: TranscriptionRequest,
    target: ModelRoute,
    wire: TranscriptionWire,
    before: KnownBefore,
    signal: AbortSignal,
  ): Promise<ProviderReply | Refusal> {
    const id = `${target.baseURL} ${before.model}`;
    const format = request.timestamps === 'none' || plain.has(id) ? 'json' : 'verbose_json';
    const answer = await send(request, { wire, format }, before, signal);
    if (format === 'json' || !('fault' in answer) || !isAboutFormat(answer.status, answer.why)) return answer;
    const text = await send(request, { wire, format: 'json' }, before, signal);
    if (!('fault' in text)) plain.add(id);
    return text;
  }

  return {
    async transcribe(request, signal): Promise<Transcript> {
      const { sound, language } = request;
      const model = settings.transcribeModel;
      const target = await place.route(model);
      const host = hostOf(target.baseURL);
      const before: KnownBefore = { model, host, seconds: sound.seconds, language, isPaid: target.apiKey !== undefined };
      const answer = await exchange(request, target, before, signal);
      if ('fault' in answer) {
        if (answer.isMissing) place.hasNoRoutes(target.baseURL);
        throw explain(answer.fault, { host, model, key: 'AGENT_TRANSCRIBE_API_KEY' }, makeError);
      }
      const transcript = readReply(answer, before);
      if (typeof transcript === 'string') throw makeError('BAD_REPLY', { host, why: transcript });
      return transcript;
    },
  };
}
