// Proxies speech and transcription requests, and charges the wallet by characters, by minutes, or by the provider's price.
import { isRecord, jsonOf } from '#lib/values';
import type { Caller } from './calls.ts';
import type { CallContext } from './chat-proxy.ts';
import { readUsage } from './event-scanner.ts';
import { assertConfigured, forward, purposeOf, type ProxyParts } from './forward.ts';
import type { Settlement } from './ledger.ts';
import { settlementOf, type Meter } from './meter.ts';
import { readPassedJson, whyUnknown } from './passed-json.ts';
import { audioCost, speechCost, type PriceEntry } from './price.ts';

const speechFields: ReadonlySet<string> = new Set(['model', 'input', 'voice', 'response_format', 'speed', 'instructions', 'stream_format', 'language']);
const transcriptionFields: ReadonlySet<string> = new Set([
  ...['model', 'file', 'input_audio', 'language', 'prompt', 'response_format', 'temperature', 'timestamp_granularities', 'timestamp_granularities[]'],
  ...['include', 'include[]', 'chunking_strategy', 'stream'],
]);
/** Assumed bytes per second of audio whose length is unknown: the lowest bit rate for the reservation, the usual one for the estimate. */
const leastBytesPerSecond = 3_000;
const usualBytesPerSecond = 8_000;
/** Maximum size of a response that is parsed for its usage, in bytes. */
const maxParsedBytes = 4 * 1024 * 1024;

export async function serveSpeech({ body, requestId, headers, reply, signal }: CallContext, caller: Caller, parts: ProxyParts): Promise<void> {
  assertConfigured(parts);
  const { calls, makeError } = parts;
  const fields = readPassedJson(body, speechFields);
  if (typeof fields === 'string') throw makeError('INVALID_REQUEST', { why: fields });
  const { model, input } = fields;
  if (typeof model !== 'string' || typeof input !== 'string' || input === '') throw makeError('INVALID_REQUEST', { why: "'model' and 'input' are required." });
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
  if (typeof clip === 'string') throw makeError('INVALID_REQUEST', { why: clip });
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

/** Creates a meter that uses the duration that the provider reports, otherwise that in the file, otherwise an estimate from the file size. */
function soundMeter(price: PriceEntry, fileSeconds: number | undefined, guessedSeconds: number): Meter {
  const chunks: Buffer[] = [];
  let size = 0;
  const bySeconds = (seconds: number, basis: Settlement['basis']): Omit<Settlement, 'outcome'> => ({
    amountMicro: audioCost(price, seconds),
    units: Math.ceil(seconds * 1_000),
    basis,
  });
  const fromFile = (): Omit<Settlement, 'outcome'> => (fileSeconds === undefined ? bySeconds(guessedSeconds, 'estimate') : bySeconds(fileSeconds, 'usage'));
  return {
    begin: () => undefined,
    take(chunk) {
      size += chunk.length;
      if (size <= maxParsedBytes) chunks.push(chunk);
      return [chunk];
    },
    end: () => [],
    estimateMicro: () => fromFile().amountMicro,
    settlement(outcome) {
      const answer = jsonOf(Buffer.concat(chunks).toString('utf8'));
      const { usage, duration } = isRecord(answer) ? answer : {};
      const reported = readUsage(usage);
      if (reported?.cost !== undefined || (reported && price.inputPerMillion !== undefined)) return settlementOf(reported, price, outcome);
      const seconds = [isRecord(usage) ? usage['seconds'] : undefined, duration].find((one): one is number => typeof one === 'number' && one >= 0);
      return { ...(seconds === undefined ? fromFile() : bySeconds(seconds, 'usage')), outcome };
    },
    isVoid: () => false,
  };
}

interface Clip {
  readonly model: string;
  readonly bytes: number;
  /** Duration, if the file states it. */
  readonly seconds?: number;
}

const neither = "'model' and an audio file are required, as a form or as JSON with 'input_audio'.";

/** Returns the model and the audio of a request, or the reason why the request is not forwarded. */
async function readClip(body: Buffer, contentType: string): Promise<Clip | string> {
  if (/^application\/json/i.test(contentType)) {
    const fields = readPassedJson(body, transcriptionFields);
    if (typeof fields === 'string') return fields;
    const { model, input_audio: sound } = fields;
    const data = isRecord(sound) ? sound['data'] : undefined;
    return typeof model === 'string' && typeof data === 'string' ? clipOf(model, Buffer.from(data, 'base64')) : neither;
  }
  if (!/^multipart\/form-data/i.test(contentType)) return neither;
  const form = await new Response(new Uint8Array(body), { headers: { 'content-type': contentType } }).formData().catch(() => undefined);
  const names: string[] = [];
  form?.forEach((_, name) => void names.push(name));
  const unknown = whyUnknown(names, transcriptionFields);
  if (unknown !== undefined) return unknown;
  const twice = ['model', 'file'].find((name) => (form?.getAll(name).length ?? 0) > 1);
  if (twice !== undefined) return `the field '${twice}' occurs more than once.`;
  const [model, file] = [form?.get('model'), form?.get('file')];
  return typeof model === 'string' && file instanceof Blob ? clipOf(model, Buffer.from(await file.arrayBuffer())) : neither;
}

function clipOf(model: string, sound: Buffer): Clip {
  const bytesPerSecond = waveRate(sound);
  return { model, bytes: sound.length, ...(bytesPerSecond === undefined ? {} : { seconds: sound.length / bytesPerSecond }) };
}

/** Uncompressed formats: 1 is integers, 3 is floats, and 0xfffe is either of them with channel details. */
const plainWaves: readonly number[] = [1, 3, 0xfffe];
/** Plausible maximum values; larger values would make a long recording look short. */
const highest = { samples: 192_000, channels: 8, bits: 64 };

/** Returns the bytes per second of a WAV file, calculated from its sample format instead of the byte rate that it states. */
function waveRate(sound: Buffer): number | undefined {
  const isWave = sound.length >= 44 && sound.toString('latin1', 0, 4) === 'RIFF' && sound.toString('latin1', 8, 16) === 'WAVEfmt ';
  if (!isWave || !plainWaves.includes(sound.readUInt16LE(20))) return undefined;
  const [channels, samples, bits] = [sound.readUInt16LE(22), sound.readUInt32LE(24), sound.readUInt16LE(34)];
  if (channels > highest.channels || samples > highest.samples || bits > highest.bits) return undefined;
  const rate = (samples * channels * bits) / 8;
  return rate > 0 ? rate : undefined;
}
