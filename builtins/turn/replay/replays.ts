// Replays and packs recorded turns, for tests and for support bundles.
import type { KernelError, Services } from 'agent-harness/kernel';
import { maskSecrets } from '#lib/secrets';
import type { RecordRow, RecordStore } from './record-store.ts';
import type { Replayed, SaidEvent, TurnRecords } from './contract.ts';
import type { TurnRecord } from './record-schema.ts';
import { firstDifference, playTurn, readTurn, type TurnEventsOf } from './replay-turn.ts';

export interface ReplayParts {
  readonly services: Pick<Services, 'chats' | 'eventLog' | 'turns'>;
  readonly store: RecordStore;
  secrets(): Promise<readonly string[]>;
  error(reason: 'NO_RECORD' | 'NOT_FOUND' | 'INVALID_CHANGE', details: Readonly<Record<string, unknown>>): KernelError;
}

interface Found extends TurnEventsOf {
  readonly chatId: string;
  readonly record: TurnRecord;
}

export interface Replays extends TurnRecords {
  list(chatId?: string): Promise<{ readonly chatId: string; readonly rows: readonly (RecordRow & { readonly text: string; readonly at: string })[] }>;
  /** Replays a turn; without `turnId`, or with `last`, the newest recorded turn. */
  replay(chatId?: string, turnId?: string): Promise<Replayed>;
}

export function createReplays(parts: ReplayParts): Replays {
  const { services, store, secrets, error } = parts;
  const { chats, eventLog, turns } = services;

  async function find(givenChat: string | undefined, given: string | undefined): Promise<Found> {
    const { chatId } = await chats.peek(givenChat);
    const turnId = given === undefined || given === 'last' ? (await store.list(chatId))[0]?.turnId : given;
    if (turnId === undefined) throw error('NO_RECORD', { turnId: 'last', why: 'no turn of this chat is recorded' });
    const of = await readTurn(eventLog, chatId, turnId);
    if (!of) throw error('NOT_FOUND', { turnId });
    const record = await store.read(chatId, turnId);
    if (!record) throw error('NO_RECORD', { turnId, why: 'recording was off or not available yet, or the record was replaced by newer ones' });
    if ('tooLarge' in record) throw error('NO_RECORD', { turnId, why: `its record exceeded ${record.tooLarge} bytes` });
    return { chatId, record, ...of };
  }

  async function compare({ chatId, record, before, said: recorded, others }: Found): Promise<Replayed> {
    const events = await playTurn(record, before, turns);
    const difference = firstDifference(recorded, events);
    return { chatId, turnId: record.turnId, recorded, events, others, ...(difference ? { difference } : {}) };
  }

  return {
    async list(given) {
      const { chatId } = await chats.peek(given);
      const rows = await store.list(chatId);
      const said = new Map<string, { readonly text: string; readonly at: string }>();
      if (rows.length > 0)
        for await (const event of eventLog.read(chatId))
          if (event.kind === 'message_accepted' && event['isSteer'] !== true) said.set(event.turnId ?? '', { text: String(event['text']), at: event.at });
      return { chatId, rows: rows.map((row) => ({ ...row, ...(said.get(row.turnId) ?? { text: '', at: '' }) })) };
    },
    replay: async (chat, turn) => compare(await find(chat, turn)),
    async play(given) {
      const { readTurnTest } = await import('./record-schema.ts');
      const test = readTurnTest(given);
      if ('problem' in test) throw error('INVALID_CHANGE', { why: `The file is not a replayable turn: ${test.problem}.` });
      const { record, before, expected } = test;
      return compare({ chatId: record.chatId, record, before, said: expected, others: 0 });
    },
    async pack(givenChat, given, options) {
      const { chatId, record, before, said } = await find(givenChat, given);
      const { hideRemoved, maskTurn, stripTurn } = await import('./strip-turn.ts');
      const [removed, known] = await Promise.all([eventLog.removed(chatId), secrets()]);
      const hide = hideRemoved([...before, ...said], removed);
      const whole = await playTurn(record, before, turns);
      const masked = maskTurn(stripTurn({ record, before }, options), (text) => options.mask(hide(maskSecrets(text, known))));
      // The expected result comes from replaying the masked record, so the file contains only masked text.
      const expected = await playTurn(masked.record, masked.before, turns);
      if (kindsOf(expected) !== kindsOf(whole))
        throw error('INVALID_CHANGE', { why: 'With these words redacted, the turn cannot be replayed. Redact other or longer words.' });
      const difference = firstDifference(said, whole);
      const endedAt = record.startedAt + Number(said.at(-1)?.['durationMs'] ?? 0);
      return { turn: { turnTest: 1, ...masked, expected }, endedAt, ...(difference ? { difference } : {}) };
    },
    secrets,
  };
}

/** Returns the kinds of the events without their content. */
function kindsOf(events: readonly SaidEvent[]): string {
  return events.map(({ kind, ok, reason }) => `${kind} ${String(ok)} ${kind === 'turn_end' ? String(reason) : ''}`).join();
}
