// Speech and transcription through the same wallet: by characters, by minutes, or as the provider charges.
import { isRecord, jsonOf } from 'agent-harness/lib/values';
import type { Caller } from './calls.ts';
import type { CallContext } from './chat-proxy.ts';
import { readUsage } from './event-scanner.ts';
import { assertConfigured, forward, purposeOf, type ProxyParts } from './forward.ts';
import type { Settlement } from './ledger.ts';
import { settlementOf, type Meter } from './meter.ts';
import { audioCost, speechCost, type PriceEntry } from './price.ts';

/** Of sound whose file does not say how long it is, the hold assumes little sound in many bytes, the estimate the usual. */
const leastBytesPerSecond = 3_000;
const usualBytesPerSecond = 8_000;
const longestAnswer = 4 * 1024 * 1024;

export async function serveSpeech({ body, requestId, headers, reply, signal }: CallContext, caller: Caller, parts: ProxyParts): Promise<void> {
  assertConfigured(parts);
  const { calls, makeError } = parts;
  const { model, input } = (jsonOf(body.toString('utf8')) ?? {}) as { readonly model?: unknown; readonly input?: unknown };
  if (typeof model !== 'string' || typeof input !== 'string' || input === '') throw makeError('INVALID_REQUEST', { why: "it needs 'model' and 'input'." });
  const priced = await calls.priced(model, ({ price }) => price.charactersPerMillion !== undefined);
  const characters = [...input].length;
  const amountMicro = speechCost(priced.price, characters);
  const amounts = { minimumMicro: amountMicro, wantedMicro: amountMicro, estimateMicro: amountMicro };
  const call = await calls.open({ caller, priced, requestId, kind: 'speech', purpose: purposeOf(headers['x-hub-purpose'], 'voice'), ...amounts, signal });
  const meter = fixedMeter({ amountMicro, units: characters, basis: 'usage' });
  await forward(reply.raw, call, { path: '/audio/speech', contentType: 'application/json', body, meter, headers: {} }, parts);
}

export async function serveTranscription({ body, requestId, headers, reply, signal }: CallContext, caller: Caller, parts: ProxyParts): Promise<void> {
  assertConfigured(parts);
  const { calls, makeError } = parts;
  const contentType = headers['content-type'] ?? '';
  const clip = await readClip(body, contentType);
  if (!clip) throw makeError('INVALID_REQUEST', { why: "it needs 'model' and a file, as a form or as JSON with 'input_audio'." });
  const priced = await calls.priced(clip.model, ({ price }) => price.audioPerMinute !== undefined);
  const { price } = priced;
  const seconds = clip.seconds ?? clip.bytes / leastBytesPerSecond;
  const amountMicro = audioCost(price, seconds);
  const amounts = { minimumMicro: amountMicro, wantedMicro: amountMicro, estimateMicro: audioCost(price, clip.seconds ?? clip.bytes / usualBytesPerSecond) };
  const call = await calls.open({
    caller,
    priced,
    requestId,
    kind: 'transcription',
    purpose: purposeOf(headers['x-hub-purpose'], 'voice'),
    ...amounts,
    signal,
  });
  const meter = soundMeter(price, clip.seconds, clip.bytes / usualBytesPerSecond);
  await forward(reply.raw, call, { path: '/audio/transcriptions', contentType, body, meter, headers: {} }, parts);
}

function fixedMeter(settlement: Omit<Settlement, 'outcome'>): Meter {
  return {
    begin: () => undefined,
    take: (chunk) => [chunk],
    end: () => [],
    estimateMicro: () => settlement.amountMicro,
    settlement: (outcome) => ({ ...settlement, outcome }),
    isVoid: () => false,
  };
}

/** The provider's word on the length goes first, then that of the file; a guess by its size is marked. */
function soundMeter(price: PriceEntry, fileSeconds: number | undefined, guessedSeconds: number): Meter {
  const chunks: Buffer[] = [];
  let size = 0;
  const bySeconds = (seconds: number, basis: Settlement['basis']): Omit<Settlement, 'outcome'> => ({
    amountMicro: audioCost(price, seconds),
    units: Math.ceil(seconds * 1_000),
    basis,
  });
  const unsaid = (): Omit<Settlement, 'outcome'> => (fileSeconds === undefined ? bySeconds(guessedSeconds, 'estimate') : bySeconds(fileSeconds, 'usage'));
  return {
    begin: () => undefined,
    take(chunk) {
      size += chunk.length;
      if (size <= longestAnswer) chunks.push(chunk);
      return [chunk];
    },
    end: () => [],
    estimateMicro: () => unsaid().amountMicro,
    settlement(outcome) {
      const answer = jsonOf(Buffer.concat(chunks).toString('utf8'));
      const { usage, duration } = isRecord(answer) ? answer : {};
      const told = readUsage(usage);
      if (told?.cost !== undefined || (told && price.inputPerMillion !== undefined)) return settlementOf(told, price, outcome);
      const seconds = [isRecord(usage) ? usage['seconds'] : undefined, duration].find((one): one is number => typeof one === 'number' && one >= 0);
      return { ...(seconds === undefined ? unsaid() : bySeconds(seconds, 'usage')), outcome };
    },
    isVoid: () => false,
  };
}

interface Clip {
  readonly model: string;
  readonly bytes: number;
  /** Where the file says it. */
  readonly seconds?: number;
}

async function readClip(body: Buffer, contentType: string): Promise<Clip | undefined> {
  if (/^application\/json/i.test(contentType)) {
    const { model, input_audio: sound } = (jsonOf(body.toString('utf8')) ?? {}) as { readonly model?: unknown; readonly input_audio?: unknown };
    const data = isRecord(sound) ? sound['data'] : undefined;
    return typeof model === 'string' && typeof data === 'string' ? clipOf(model, Buffer.from(data, 'base64')) : undefined;
  }
  if (!/^multipart\/form-data/i.test(contentType)) return undefined;
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': contentType } }).formData().catch(() => undefined);
  const [model, file] = [form?.get('model'), form?.get('file')];
  return typeof model === 'string' && file instanceof Blob ? clipOf(model, Buffer.from(await file.arrayBuffer())) : undefined;
}

function clipOf(model: string, sound: Buffer): Clip {
  const isWave = sound.length >= 44 && sound.toString('latin1', 0, 4) === 'RIFF' && sound.toString('latin1', 8, 12) === 'WAVE';
  const bytesPerSecond = isWave ? sound.readUInt32LE(28) : 0;
  return { model, bytes: sound.length, ...(bytesPerSecond > 0 ? { seconds: sound.length / bytesPerSecond } : {}) };
}
