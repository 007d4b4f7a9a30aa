// Builds a support bundle from a turn and the selected sections, without redacted words, and reads a bundle that was received.
import type { Replayed } from 'agent-harness/builtins/turn/replay';
import type { SupportedTurn, SupportPart } from 'agent-harness/builtins/turn/support-file';
import type { KernelError, Services } from 'agent-harness/kernel';
import { withLimit } from '#lib/async';
import { faultReason } from '#lib/errors';
import { sha256 } from '#lib/hash';
import { maskSecrets } from '#lib/secrets';
import { isRecord } from '#lib/values';
import { createMask, placesOf, whyNotStruck } from './mask-texts.ts';
import { readableJson } from './readable-json.ts';
import type { SupportFile, SupportWish } from './support-route.ts';
import { partsOfTurn, type Section } from './support-sections.ts';

export interface SupportParts {
  readonly services: Pick<Services, 'chats' | 'product' | 'turnRecords'>;
  sections(): readonly Section[];
  error(reason: 'UNKNOWN_PART' | 'INVALID_WORD' | 'TOO_LARGE' | 'SECRET_LEFT' | 'NOT_A_FILE', details: Readonly<Record<string, unknown>>): KernelError;
}

export interface SupportFiles extends Pick<SupportParts, 'sections'> {
  make(wish: SupportWish): Promise<SupportFile>;
  /** Replays the turn of a bundle. @param file untrusted JSON */
  open(file: unknown): Promise<{ readonly head: Readonly<Record<string, unknown>>; readonly played: Replayed }>;
}

export const mostBytes = 24 * 1024 * 1024;
const mostOfPart = 1024 * 1024;
const partMs = 10_000;

export function createSupportFiles({ services, sections, error }: SupportParts): SupportFiles {
  async function readPart(read: SupportPart['read'], turn: SupportedTurn, mask: (text: string) => string): Promise<unknown> {
    try {
      const late = (): never => {
        throw new Error(`it did not return within ${partMs / 1_000} s`);
      };
      const json = JSON.stringify(await withLimit(Promise.resolve(read(turn)), partMs, late)) ?? 'null';
      if (json.length > mostOfPart) throw new Error(`it has more than ${mostOfPart} bytes`);
      return maskDeep(JSON.parse(json), mask);
    } catch (fault) {
      return { fault: `This section cannot be read: ${mask(faultReason(fault))}` };
    }
  }

  async function make({ chatId: given, turnId, parts, strike = [] }: SupportWish): Promise<SupportFile> {
    const all = sections();
    const ticked = new Set(parts ?? usualOf(all));
    for (const name of ticked) if (!all.some((one) => one.name === name)) throw error('UNKNOWN_PART', { name, names: all.map((one) => one.name).join(', ') });
    const struck = [...new Set(strike.map((word) => word.trim()).filter((word) => word !== ''))];
    for (const word of struck) {
      const why = whyNotStruck(word);
      if (why !== undefined) throw error('INVALID_WORD', { word, why });
    }
    const { chatId, workspaceRoot } = await services.chats.peek(given);
    const secrets = await services.turnRecords.secrets();
    const shown = createMask(placesOf(workspaceRoot, services.product.home), struck);
    const mask = (text: string): string => shown(maskSecrets(text, secrets));
    const packed = await services.turnRecords.pack(chatId, turnId, {
      earlier: ticked.has('earlier'),
      requests: ticked.has('requests'),
      results: ticked.has('results'),
      mask,
    });
    // The user can also review sections that are not selected; they are built separately from the file.
    const whole = await services.turnRecords.pack(chatId, packed.turn.record.turnId, { earlier: true, requests: true, results: true, mask });
    const { record } = packed.turn;
    const turn = { chatId, turnId: record.turnId, startedAt: record.startedAt, endedAt: packed.endedAt };
    const read = await Promise.all(all.flatMap(({ name, read: of }) => (of ? [readPart(of, turn, mask).then((value) => [name, value] as const)] : [])));
    const file = {
      supportFile: 1,
      of: `${services.product.title}, a turn of ${new Date(record.startedAt).toISOString()}`,
      parts: ['turn', ...all.filter(({ name }) => ticked.has(name)).map(({ name }) => name)],
      leftOut: all.filter(({ name }) => !ticked.has(name)).map(({ name }) => name),
      ...Object.fromEntries(read.filter(([name]) => ticked.has(name))),
      ...(packed.difference ? { note: 'When the bundle was created, the replay differed from the journal of the turn.' } : {}),
      turn: packed.turn,
    };
    const text = readableJson(file);
    const bytes = Buffer.byteLength(text);
    if (bytes > mostBytes) throw error('TOO_LARGE', { bytes, most: mostBytes });
    refuseLeft(text, secrets, struck);
    const texts: Readonly<Record<string, unknown>> = { ...Object.fromEntries(read), ...partsOfTurn(whole.turn) };
    const row = (name: string, title: string, description: string, isIn: boolean, value: unknown): SupportFile['parts'][number] => {
      const own = readableJson(value);
      return { name, title, description, isIn, bytes: Buffer.byteLength(own), text: own };
    };
    return {
      ...{ turnId: record.turnId, name: `support-${record.turnId.slice(-8).toLowerCase()}.json`, text, bytes, digest: sha256(text) },
      parts: [
        row('turn', 'The turn', 'The message, the texts and calls of the model, and the result; enough to replay the turn.', true, packed.turn),
        ...all.map(({ name, title, description }) => row(name, title, description, ticked.has(name), texts[name])),
      ],
      ...(packed.difference ? { isEqual: false, difference: packed.difference } : { isEqual: true }),
    };
  }

  /** Refuses a bundle that still contains secrets or redacted words: masking skips structural parts such as names of events, but this check covers them. */
  function refuseLeft(text: string, secrets: readonly string[], struck: readonly string[]): void {
    const low = text.toLowerCase();
    const places = [...secrets.filter((secret) => secret.length > 5), ...struck].map((word) => low.indexOf(word.toLowerCase())).filter((at) => at >= 0);
    if (places.length === 0) return;
    throw error('SECRET_LEFT', { where: `line ${places.map((at) => text.slice(0, at).split('\n').length).join(', ')}` });
  }

  return {
    make,
    sections,
    async open(file) {
      if (!isRecord(file) || file['supportFile'] !== 1 || !isRecord(file['turn']))
        throw error('NOT_A_FILE', { why: "the fields 'supportFile' and 'turn' are missing" });
      const { turn, ...head } = file;
      return { head, played: await services.turnRecords.play(turn) };
    },
  };
}

export const usualOf = (parts: readonly Section[]): string[] => parts.filter(({ isUsual }) => isUsual).map(({ name }) => name);

function maskDeep(value: unknown, mask: (text: string) => string): unknown {
  if (typeof value === 'string') return mask(value);
  if (Array.isArray(value)) return value.map((one) => maskDeep(one, mask));
  return isRecord(value) ? Object.fromEntries(Object.entries(value).map(([key, one]) => [mask(key), maskDeep(one, mask)])) : value;
}
