// What a person sees of a chat: a fold of its events into entries. Pure.
import type { JournalEvent, TranscriptEntry } from './contract.ts';
import { joinText } from './join-text.ts';
import { createTaskTakers } from './transcript-tasks.ts';

type Entry = { -readonly [K in keyof TranscriptEntry]: TranscriptEntry[K] };
type Taker = (event: JournalEvent) => void;

const endings: Readonly<Record<string, string>> = {
  aborted: 'Stopped by the user.',
  round_limit: 'Stopped: the limit of rounds or of time was reached.',
  interrupted: 'Interrupted: the server ended while this was running.',
  budget: 'Stopped: the budget is used up.',
};

const unqueuedText = 'Taken back: it waited behind what was stopped, so it was not heard.';

/** @param events of one chat, oldest first */
export function foldTranscript(events: Iterable<JournalEvent>): TranscriptEntry[] {
  const entries = new Map<string, Entry>();
  /** So many entries belong to replies that the provider ended properly. */
  let whole = 0;

  function add(event: JournalEvent, id: string, kind: Entry['kind'], fields: Record<string, unknown>): Entry {
    const entry: Entry = { id, kind, ...(event.turnId === undefined ? {} : { turnId: event.turnId }), at: event.at, ...fields };
    entries.set(id, entry);
    return entry;
  }
  function note(event: JournalEvent, fields: Record<string, unknown>): void {
    add(event, `event_${event.id}`, 'system', { event: event.kind, ...fields });
  }
  function toolOf(event: JournalEvent): Entry {
    const callId = String(event['callId']);
    return entries.get(callId) ?? add(event, callId, 'tool', { callId, name: event['name'] ?? '' });
  }

  const takers: Readonly<Record<string, Taker>> = {
    message_accepted(event) {
      const { messageId, text, attachments, clientId, isSteer } = event;
      const more = { ...(clientId === undefined ? {} : { clientId }), ...(isSteer === true ? { isSteer } : {}) };
      add(event, String(messageId), 'user', { messageId, text, attachments: attachments ?? [], ...more });
    },
    text(event) {
      const { messageId, channel, offset, delta } = event as unknown as { messageId: string; channel: string; offset: number; delta: string };
      const id = channel === 'trace' ? `trace_${messageId}` : messageId;
      const entry = entries.get(id) ?? add(event, id, channel === 'trace' ? 'system' : 'assistant', { messageId, text: '' });
      const field = channel === 'reasoning' ? 'reasoning' : 'text';
      entry[field] = joinText(entry[field], offset, delta);
    },
    usage(event) {
      if (event['purpose'] === 'chat') whole = entries.size;
    },
    provider_retry(event) {
      if (event.turnId !== undefined && (event['purpose'] ?? 'chat') === 'chat') dropVoid(entries, whole, event.turnId);
    },
    tool_start(event) {
      const entry = toolOf(event);
      for (const field of ['name', 'messageId', 'args']) if (event[field] !== undefined) entry[field] = event[field];
    },
    tool_running(event) {
      toolOf(event)['startedAt'] = event.at;
    },
    tool_result(event) {
      const entry = toolOf(event);
      for (const field of ['name', 'ok', 'output', 'durationMs', 'artifactId', 'truncated', 'untrusted', 'notRun', 'images']) {
        if (event[field] !== undefined) entry[field] = event[field];
      }
    },
    tool_approval(event) {
      const { approvalId, effects, reason, preview, remembers, expiresAt } = event;
      const given = { ...(preview === undefined ? {} : { preview }), ...(remembers === undefined ? {} : { remembers }) };
      toolOf(event)['approval'] = { approvalId, effects, reason, expiresAt, ...given };
    },
    approval_decision(event) {
      const entry = toolOf(event);
      const { approvalId, decision, by, reason, args } = event;
      entry['approval'] = {
        ...(entry['approval'] as object | undefined),
        approvalId,
        decision,
        by,
        ...(reason === undefined ? {} : { decisionReason: reason }),
      };
      if (args !== undefined) entry['args'] = args;
      entry['startedAt'] = event.at;
    },
    ask_user(event) {
      const { askId, prompt, options } = event;
      toolOf(event)['question'] = { askId, prompt, ...(options === undefined ? {} : { options }) };
    },
    ask_user_answered(event) {
      const entry = toolOf(event);
      entry['question'] = { ...(entry['question'] as object | undefined), askId: event['askId'], answer: event['answer'] };
      entry['startedAt'] = event.at;
    },
    turn_end(event) {
      for (const entry of entries.values()) {
        if (entry.kind === 'tool' && entry.turnId === event.turnId && entry['ok'] === undefined) entry['isInterrupted'] = true;
      }
      const reason = String(event['reason']);
      if (reason === 'error') add(event, `event_${event.id}`, 'error', { ...(event['error'] as object | undefined) });
      else if (reason !== 'done') note(event, { reason, text: event['isUnqueued'] === true ? unqueuedText : (endings[reason] ?? reason) });
    },
    ...createTaskTakers((callId) => entries.get(callId)),
    error(event) {
      const { source, code, message } = event;
      add(event, `event_${event.id}`, 'error', { source, code, message });
    },
    conversation_reset: (event) => note(event, { mode: event['mode'], text: 'From here on, what was said before is forgotten.' }),
    critic_verdict(event) {
      const { ok, problems, isSentBack } = event;
      if (ok === true) return;
      const list = Array.isArray(problems) ? problems.map(String) : [];
      const what = list.length === 0 ? 'A check of the answer failed.' : `A check of the answer found: ${list.join('; ')}.`;
      note(event, { problems: list, text: isSentBack === true ? `${what} It is given once more.` : what });
    },
    // Its turn is the one that was taken back, long before.
    checkpoint_restored({ turnId: _, ...event }) {
      const [restored, conflicts] = [listOf(event['restored']), listOf(event['conflicts'])];
      note(event, { restored, conflicts, text: restoredText(restored.length, conflicts.length) });
    },
    context_compressed(event) {
      const { before, after } = event;
      note(event, { before, after, text: 'Earlier parts of the conversation were summarised.' });
    },
  };

  for (const event of events) {
    if (Object.hasOwn(takers, event.kind)) takers[event.kind]?.(event);
  }
  return [...entries.values()];
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function restoredText(restored: number, conflicts: number): string {
  const files = (count: number): string => (count === 1 ? '1 file' : `${count} files`);
  const left = conflicts === 0 ? '' : ` ${files(conflicts)} changed since and ${conflicts === 1 ? 'was' : 'were'} left alone.`;
  return `Changes were taken back in ${files(restored)}.${left}`;
}

/** What a failed attempt streamed is void: the reply and the calls at the turn's end that never started. */
function dropVoid(entries: Map<string, Entry>, whole: number, turnId: string): void {
  for (const entry of [...entries.values()].slice(whole).reverse()) {
    // Somebody may have spoken meanwhile.
    if (entry.kind === 'user' && entry['isSteer'] === true) continue;
    const isUnstarted = entry.kind === 'tool' && entry['args'] === undefined && entry['ok'] === undefined;
    if (entry.turnId !== turnId || !(entry.kind === 'assistant' || isUnstarted)) return;
    entries.delete(entry.id);
  }
}
