// Converts an imported conversation to events: one turn per user message, with replies and calls under new ids.
import type { IdPrefix } from 'agent-harness/plugins/storage';
import type { ImportedPart } from '../contract.ts';

export interface JournalLine {
  readonly kind: string;
  readonly at: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

export interface ImportedEvents {
  /** Returns the first events of the chat. */
  begin(at: string | undefined, announcement: string): JournalLine[];
  take(part: ImportedPart): JournalLine[];
  /** Returns the events that end the open turn. */
  end(): JournalLine[];
  readonly turns: number;
  readonly firstAt: string;
  readonly lastAt: string;
  readonly firstText: string;
}

interface OpenTurn {
  readonly turnId: string;
  readonly startedAt: string;
  rounds: number;
  tools: number;
}

interface OpenCall {
  readonly callId: string;
  readonly name: string;
  readonly at: string;
}

const noUsage = { input: 0, output: 0, cached: 0 };
const unknownResult = 'Its result was not kept.';
/** Text of the first message if the source does not contain it. */
const noMessage = '(The message that this answers was not kept.)';

export function createImportedEvents(chatId: string, createId: (prefix: IdPrefix) => string): ImportedEvents {
  let firstAt: string | undefined;
  let lastAt = '';
  let firstText = '';
  let turns = 0;
  let model = 'unknown';
  let turn: OpenTurn | undefined;
  /** The current reply, with the lengths of its texts by channel. */
  let reply: { readonly messageId: string; user: number; reasoning: number; hasCalls: boolean } | undefined;
  const calls = new Map<string, OpenCall>();

  /** Returns the time of an event. Imported times may be missing, but event times must never decrease. */
  function timeOf(at: string | undefined): string {
    const ms = at === undefined ? NaN : Date.parse(at);
    const time = Number.isNaN(ms) ? lastAt || new Date().toISOString() : new Date(ms).toISOString();
    lastAt = time < lastAt ? lastAt : time;
    firstAt ??= lastAt;
    return lastAt;
  }

  function line(kind: string, at: string, fields: object): JournalLine {
    return { kind, at, fields: { chatId, ...fields } };
  }

  function startTurn(at: string, text: string): JournalLine[] {
    const ended = end();
    const turnId = createId('turn');
    const messageId = createId('msg');
    turn = { turnId, startedAt: at, rounds: 0, tools: 0 };
    turns++;
    if (text !== noMessage) firstText ||= text;
    const message = { turnId, messageId, text, attachments: [], untrusted: true };
    return [...ended, line('message_accepted', at, message), line('turn_start', at, { turnId, messageId, model })];
  }

  function inTurn(at: string): { readonly before: JournalLine[]; readonly turn: OpenTurn } {
    const before = turn ? [] : startTurn(at, noMessage);
    return { before, turn: turn as OpenTurn };
  }

  function replyOf(open: OpenTurn, isText: boolean): NonNullable<typeof reply> {
    // Text after a call starts another reply, and so does anything after a result.
    if (!reply || (isText && reply.hasCalls)) {
      open.rounds++;
      reply = { messageId: createId('msg'), user: 0, reasoning: 0, hasCalls: false };
    }
    return reply;
  }

  function finish({ callId, name, at }: OpenCall, given: { readonly at: string; readonly ok: boolean; readonly output: string }): JournalLine {
    const durationMs = Math.max(0, Date.parse(given.at) - Date.parse(at));
    const { turnId } = turn as OpenTurn;
    return line('tool_result', given.at, { turnId, callId, name, ok: given.ok, output: given.output, durationMs, untrusted: true });
  }

  function end(): JournalLine[] {
    if (!turn) return [];
    const at = lastAt;
    const open = [...calls.values()].map((call) => finish(call, { at, ok: false, output: unknownResult }));
    const { turnId, startedAt, rounds, tools } = turn;
    const durationMs = Math.max(0, Date.parse(at) - Date.parse(startedAt));
    const ended = line('turn_end', at, { turnId, reason: 'done', durationMs, rounds, tools, usage: noUsage });
    calls.clear();
    turn = undefined;
    reply = undefined;
    return [...open, ended];
  }

  function take(part: ImportedPart): JournalLine[] {
    if (part.kind === 'user') return part.text.trim() === '' ? [] : startTurn(timeOf(part.at), part.text);
    const at = timeOf(part.at);
    if (part.kind === 'result') {
      const call = calls.get(part.callId);
      if (!call || !turn) return [];
      calls.delete(part.callId);
      reply = undefined;
      return [finish(call, { at, ok: part.ok, output: part.output })];
    }
    if (part.kind === 'assistant') {
      if (part.text.trim() === '') return [];
      if (part.model !== undefined) model = part.model;
      const { before, turn: open } = inTurn(at);
      const { channel = 'user' } = part;
      const target = replyOf(open, true);
      const delta = target[channel] === 0 ? part.text : `\n\n${part.text}`;
      const offset = target[channel];
      target[channel] += delta.length;
      return [...before, line('text', at, { turnId: open.turnId, messageId: target.messageId, offset, delta, channel })];
    }
    const { before, turn: open } = inTurn(at);
    const target = replyOf(open, false);
    target.hasCalls = true;
    open.tools++;
    const call: OpenCall = { callId: createId('call'), name: part.name, at };
    calls.set(part.callId, call);
    const { turnId } = open;
    const { callId, name } = call;
    return [...before, line('tool_start', at, { turnId, callId, messageId: target.messageId, name, args: part.args, argsText: JSON.stringify(part.args) })];
  }

  return {
    begin: (at, announcement) => [
      line('announcement', timeOf(at), {
        messageId: createId('msg'),
        text: announcement,
        origin: { plugin: 'chats', reason: 'The chat was imported.' },
        channel: 'user',
        isForModel: true,
      }),
    ],
    take,
    end,
    get turns() {
      return turns;
    },
    get firstAt() {
      return firstAt ?? lastAt;
    },
    get lastAt() {
      return lastAt;
    },
    get firstText() {
      return firstText;
    },
  };
}
