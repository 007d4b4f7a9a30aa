// Replays recorded turns from their record, as tests and as parts of support bundles.
import type { KernelError, Services } from 'agent-harness/kernel';
import { maskSecrets } from 'agent-harness/lib/secrets';
import type { JournalEvent } from 'agent-harness/plugins/chats';
import type { RecordRow, RecordStore } from './record-store.ts';
import type { Replayed, SaidEvent, TurnRecords, TurnTest } from './contract.ts';
import type { TurnRecord } from './record-schema.ts';
import { firstDifference, playTurn, readTurn } from './replay-turn.ts';

export interface ReplayParts {
  readonly services: Pick<Services, 'chats' | 'eventLog' | 'turns'>;
  readonly store: RecordStore;
  secrets(): Promise<readonly string[]>;
  error(reason: 'NO_RECORD' | 'NOT_FOUND' | 'INVALID_CHANGE', details: Readonly<Record<string, unknown>>): KernelError;
}

export interface Replays extends TurnRecords {
  list(chatId?: string): Promise<{ readonly chatId: string; readonly rows: readonly (RecordRow & { readonly text: string; readonly at: string })[] }>;
  /** The newest recorded turn when left out, or `last`. */
  replay(chatId?: string, turnId?: string): Promise<Replayed>;
  saveTest(chatId?: string, turnId?: string): Promise<TurnTest>;
}

export function createReplays(parts: ReplayParts): Replays {
  const { services, store, secrets, error } = parts;
  const { chats, eventLog, turns } = services;

  async function find(givenChat: string | undefined, given: string | undefined) {
    const { chatId } = await chats.peek(givenChat);
    const turnId = given === undefined || given === 'last' ? (await store.list(chatId))[0]?.turnId : given;
    if (turnId === undefined) throw error('NO_RECORD', { turnId: 'last', why: 'no turn of this chat was recorded' });
    const of = await readTurn(eventLog, chatId, turnId);
    if (!of) throw error('NOT_FOUND', { turnId });
    const record = await store.read(chatId, turnId);
    if (!record) throw error('NO_RECORD', { turnId, why: 'it is older than recording, recording was off, or its record made room for newer ones' });
    if ('tooLarge' in record) throw error('NO_RECORD', { turnId, why: `it came to more than ${record.tooLarge} bytes` });
    return { chatId, turnId, record, ...of };
  }

  async function compare(
    chatId: string,
    record: TurnRecord,
    before: readonly JournalEvent[],
    recorded: readonly SaidEvent[],
    others: number,
  ): Promise<Replayed> {
    const events = await playTurn(record, before, turns);
    const difference = firstDifference(recorded, events);
    return { chatId, turnId: record.turnId, recorded, events, others, ...(difference ? { difference } : {}) };
  }

  /** The expected result comes from the replay, so that the file contains only masked text. */
  async function packed(
    record: TurnRecord,
    before: readonly JournalEvent[],
    mask: (text: string) => string,
  ): Promise<{ readonly test: TurnTest; readonly events: readonly SaidEvent[] }> {
    const [{ maskTurn }, known] = await Promise.all([import('./strip-turn.ts'), secrets()]);
    const masked = maskTurn({ record, before }, (text) => mask(maskSecrets(text, known)));
    const events = await playTurn(masked.record, masked.before, turns);
    return { test: { turnTest: 1, ...masked, expected: events }, events };
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
    async replay(givenChat, given) {
      const { chatId, record, before, said, others } = await find(givenChat, given);
      return compare(chatId, record, before, said, others);
    },
    async saveTest(givenChat, given) {
      const { chatId, record, before, said } = await find(givenChat, given);
      const { hideRemoved, withoutFiles } = await import('./strip-turn.ts');
      const { test } = await packed(record, before.map(withoutFiles), hideRemoved([...before, ...said], await eventLog.removed(chatId)));
      return test;
    },
    async play(given) {
      const { readTurnTest } = await import('./record-schema.ts');
      const test = readTurnTest(given);
      if ('problem' in test) throw error('INVALID_CHANGE', { why: `This is no file of a turn that can be played: ${test.problem}.` });
      const { record, before, expected } = test;
      return compare(record.chatId, record, before, expected, 0);
    },
    async pack(givenChat, given, options) {
      const { chatId, record, before, said } = await find(givenChat, given);
      const { hideRemoved, stripTurn } = await import('./strip-turn.ts');
      const hide = hideRemoved([...before, ...said], await eventLog.removed(chatId));
      const whole = await playTurn(record, before, turns);
      const stripped = stripTurn({ record, before }, options);
      const { test, events } = await packed(stripped.record, stripped.before, (text) => options.mask(hide(text)));
      if (kindsOf(events) !== kindsOf(whole))
        throw error('INVALID_CHANGE', { why: 'With these words struck out the turn cannot be played any more; strike out others, or longer ones.' });
      const difference = firstDifference(said, whole);
      return { turn: test, endedAt: record.startedAt + Number(said.at(-1)?.['durationMs'] ?? 0), ...(difference ? { difference } : {}) };
    },
    secrets,
  };
}

/** Returns the kinds of the events without their content. */
function kindsOf(events: readonly SaidEvent[]): string {
  return events.map(({ kind, ok, reason }) => `${kind} ${String(ok)} ${kind === 'turn_end' ? String(reason) : ''}`).join();
}
