// Removes and masks parts of a turn record. Preserves lengths and positions, so that the replay has the same result. Pure.
import { isRecord } from '#lib/values';
import type { JournalEvent } from 'agent-harness/plugins/chats';
import type { ModelMessage } from 'agent-harness/plugins/models';
import type { Removals } from 'agent-harness/transcript';
import type { PackOptions, SaidEvent } from './contract.ts';
import type { Ask, Entry, TurnRecord } from './record-schema.ts';

interface Parts {
  readonly record: TurnRecord;
  readonly before: readonly JournalEvent[];
}

/** Kinds of events that form the conversation. */
const spoken: ReadonlySet<string> = new Set([
  ...['message_accepted', 'announcement', 'conversation_reset', 'turn_start', 'turn_end', 'text', 'steer_heard'],
  ...['tool_start', 'tool_running', 'tool_delta', 'tool_result', 'subtask_start', 'subtask_text', 'subtask_tool', 'subtask_end'],
]);
/** Names of fields that the replay needs. */
const replayFields = ['on', 'key', 'kind', 'role', 'chatId', 'turnId', 'messageId', 'messageIds', 'callId', 'toolCallId', 'taskId', 'at'];
const structure: ReadonlySet<string> = new Set(replayFields);
const namedStructure: ReadonlySet<string> = new Set([
  ...replayFields,
  'channel',
  'finish',
  'name',
  'tool',
  'family',
  'replay',
  'icon',
  'verb',
  'purpose',
  'type',
  'mimeType',
  'code',
]);
const answered = /^\d+\/(?:run|images|hook\/tool\.after)\//;

/** Removes excluded parts completely instead of shortening or masking them. The lengths of outputs are preserved, because the turn depends on them. */
export function stripTurn({ record, before }: Parts, { earlier, requests, results }: Pick<PackOptions, 'earlier' | 'requests' | 'results'>): Parts {
  const isKept = (event: JournalEvent): boolean => (earlier ? spoken.has(event.kind) : event.kind === 'message_accepted' && event.turnId === record.turnId);
  const shownIn = ({ messages }: Ask): Ask['messages'] =>
    messages.map((one) => (results || !('role' in one) || one.role !== 'tool' ? one : (blankAll(one) as ModelMessage)));
  return {
    before: before.filter(isKept).map((event) => withoutPeople(results ? event : withoutResult(event))),
    record: {
      ...record,
      texts: requests ? record.texts : ['', '[]'],
      asks: record.asks.map((ask) => (requests ? { ...ask, messages: shownIn(ask) } : { ...ask, system: 0, tools: 1, messages: [] })),
      log: results ? record.log : record.log.map(withoutAnswer),
    },
  };
}

function withoutPeople(event: JournalEvent): JournalEvent {
  const { principal: _, ...rest } = withoutFiles(event) as JournalEvent & { principal?: unknown };
  return rest;
}

/** Removes the attachments of an event, because they are not copied. */
function withoutFiles(event: JournalEvent): JournalEvent {
  return 'attachments' in event ? { ...event, attachments: [] } : event;
}

function withoutResult(event: JournalEvent): JournalEvent {
  return event.kind === 'tool_result' || event.kind === 'subtask_tool' ? (blankAll(event) as JournalEvent) : event;
}

function withoutAnswer(entry: Entry): Entry {
  if (entry.on === 'note') return { ...entry, note: blank(entry.note) };
  return entry.on === 'answer' && answered.test(entry.key) ? (blankAll(entry) as Entry) : entry;
}

/** Minimum length, in UTF-16 code units, of a removed text that is also masked inside other texts. */
const shortestInside = 20;

/** Masks the texts of removed messages, and the arguments and outputs of removed calls, in all events. @param events events that contain them */
export function hideRemoved(events: readonly (JournalEvent | SaidEvent)[], removals: Removals): (text: string) => string {
  const texts = new Map<unknown, string>();
  const add = (id: unknown, key: unknown, text: unknown): void => {
    if (typeof id === 'string' && removals.has(id) && typeof text === 'string') texts.set(key, (texts.get(key) ?? '') + text);
  };
  for (const [at, { messageId, callId, text, delta, output, args }] of events.entries()) {
    if (callId === undefined) add(messageId, `${String(messageId)} said`, text ?? delta);
    add(callId, `${at} output`, output);
    for (const [name, value] of Object.entries(isRecord(args) ? args : {})) add(callId, `${at} ${name}`, value);
  }
  const all = new Set([...texts.values()].flatMap((text) => [text, JSON.stringify(text).slice(1, -1)]));
  const long = [...all].filter(({ length }) => length >= shortestInside);
  return (text) => (all.has(text) ? blank(text) : long.reduce((rest, one) => rest.replaceAll(one, blank), text));
}

const blank = (text: string): string => text.replace(/\S/g, '•');
const blankAll = (value: unknown): unknown => changeTexts(value, blank, structure);

/** @param mask replaces characters; see {@link PackOptions.mask} */
export function maskTurn({ record, before }: Parts, mask: (text: string) => string): Parts {
  const { log, ...head } = record;
  return {
    before: changeTexts(before, mask) as readonly JournalEvent[],
    record: { ...(changeTexts(head, mask) as Omit<TurnRecord, 'log'>), log: maskLog(log, mask) },
  };
}

/** Masks streamed text as one text, regardless of the entries between its pieces. */
function maskLog(log: readonly Entry[], mask: (text: string) => string): Entry[] {
  const streamed = new Map<string, string>();
  const ofPieces = ({ key, channel, index }: Extract<Entry, { on: 'pieces' }>): string => `${key} ${channel} ${index}`;
  for (const entry of log) if (entry.on === 'pieces') streamed.set(ofPieces(entry), (streamed.get(ofPieces(entry)) ?? '') + entry.text);
  for (const [key, text] of streamed) streamed.set(key, mask(text));
  return log.map((entry) => {
    if (entry.on !== 'pieces') return changeTexts(entry, mask) as Entry;
    const rest = streamed.get(ofPieces(entry)) ?? '';
    streamed.set(ofPieces(entry), rest.slice(entry.text.length));
    return { ...entry, text: rest.slice(0, entry.text.length) };
  });
}

/** Changes the texts in a JSON value. @param stays names of fields whose values stay unchanged */
export function changeTexts(value: unknown, change: (text: string) => string, stays = namedStructure): unknown {
  if (typeof value === 'string') return change(value);
  if (Array.isArray(value)) return value.map((one) => changeTexts(one, change, stays));
  if (!isRecord(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, one]) => [key, stays.has(key) ? one : changeTexts(one, change, stays)]));
}
