// Generates journals as a server would write them: turns with replies, calls, tasks, questions, aborts, queued and steered messages.
import fc from 'fast-check';
import type { JournalEvent } from 'agent-harness/plugins/chats';

type Step = { readonly [K in 'what' | 'which' | 'size']: number };

const step: fc.Arbitrary<Step> = fc.record({ what: fc.nat(21), which: fc.nat(7), size: fc.integer({ min: 1, max: 5 }) });

/** Converts steps to valid events: none outside its turn, one result per call, offsets without gaps. */
export const anyJournal: fc.Arbitrary<JournalEvent[]> = fc.array(step, { maxLength: 60 }).map(write);

interface Open {
  readonly turnId: string;
  messageId?: string;
  length: number;
  thought: number;
  readonly calls: { readonly callId: string; state: 'writing' | 'begun' | 'running' | 'asked' | 'questioned'; messageId: string }[];
}

function write(steps: readonly Step[]): JournalEvent[] {
  const events: JournalEvent[] = [];
  const queue: { turnId: string; messageId: string }[] = [];
  let turn: Open | undefined;
  let names = 0;
  const name = (kind: string): string => `${kind}_${++names}`;
  function say(kind: string, fields: object = {}): void {
    const id = events.length + 1;
    events.push({
      id,
      kind,
      at: new Date(Date.UTC(2026, 0, 1) + id * 1_000).toISOString(),
      chatId: 'chat_1',
      ...(turn ? { turnId: turn.turnId } : {}),
      ...fields,
    });
  }
  function accept(more: object = {}): { turnId: string; messageId: string } {
    const one = { turnId: name('turn'), messageId: name('msg') };
    say('message_accepted', { ...one, text: `Words ${names}`, attachments: [], ...more });
    return one;
  }
  function announce(size: number): void {
    const marks = { ...(size > 2 ? { isForModel: true } : {}), ...(size > 4 ? { untrusted: true } : {}) };
    say('announcement', {
      turnId: undefined,
      messageId: name('msg'),
      text: `News ${names}`,
      origin: { plugin: 'p', reason: 'It is due.' },
      channel: 'user',
      ...marks,
    });
  }
  function start({ turnId, messageId }: { turnId: string; messageId: string }): void {
    turn = { turnId, length: 0, thought: 0, calls: [] };
    say('turn_start', { messageId, model: 'm' });
  }
  function reply(open: Open): string {
    return (open.messageId ??= name('msg'));
  }
  function newReply(open: Open): void {
    delete open.messageId;
    open.length = open.thought = 0;
  }

  for (const { what, which, size } of steps) {
    if (!turn) {
      if (what === 0) say('conversation_reset', { mode: 'soft' });
      else if (what === 1) say('of_a_plugin', { turnId: 'turn_1', shown: { text: 'Taken back.', isOutsideTurn: true } });
      else if (what === 2) announce(size);
      else start(queue.shift() ?? accept());
      continue;
    }
    const call = turn.calls[which % Math.max(1, turn.calls.length)];
    const isSaying = turn.calls.every(({ state }) => state === 'writing');
    if (what < 4 && isSaying) {
      say('text', { messageId: reply(turn), channel: 'user', offset: turn.length, delta: 'x'.repeat(size) });
      turn.length += size;
    } else if (what === 4 && isSaying) {
      say('text', { messageId: reply(turn), channel: 'reasoning', offset: turn.thought, delta: 'y'.repeat(size) });
      turn.thought += size;
    } else if (what < 7 && isSaying) {
      const callId = name('call');
      const messageId = reply(turn);
      turn.calls.push({ callId, state: 'writing', messageId });
      say('tool_start', { callId, messageId, name: 'work' });
      say('tool_delta', { callId, argsDelta: '{"a":' });
    } else if (what === 7 && isSaying && turn.calls.length > 0) {
      say('usage', { purpose: 'chat', model: 'm', plugin: 'p', input: size, output: 1, cached: 0 });
      for (const one of turn.calls) {
        one.state = 'begun';
        say('tool_start', { callId: one.callId, messageId: one.messageId, name: 'work', args: { a: size }, argsText: '{"a":1}' });
      }
    } else if (what === 8 && isSaying && turn.calls.length === 0 && turn.messageId !== undefined) {
      say('usage', { purpose: 'chat', model: 'm', plugin: 'p', input: size, output: 1, cached: 0 });
      newReply(turn);
    } else if (what === 9 && isSaying) {
      say('provider_retry', { attempt: 1, of: 3, reason: 'busy', delayMs: 5 });
      turn.calls.length = 0;
      newReply(turn);
    } else if (what < 13 && call && call.state !== 'writing') {
      const { callId } = call;
      if (call.state === 'begun') {
        call.state = 'running';
        say('tool_running', { callId });
      } else if (call.state === 'asked') {
        call.state = 'running';
        say('approval_decision', {
          callId,
          approvalId: `ap_${callId}`,
          decision: size > 3 ? 'edit' : 'approve',
          by: 'user',
          ...(size > 3 ? { args: { b: 1 } } : {}),
        });
      } else if (call.state === 'questioned') {
        call.state = 'running';
        say('ask_user_answered', { callId, askId: `ask_${callId}`, answer: 'yes' });
      } else if (size === 1) {
        call.state = 'asked';
        say('tool_approval', { callId, approvalId: `ap_${callId}`, name: 'work', args: { a: 1 }, effects: ['write'], reason: 'It writes.' });
      } else if (size === 2) {
        call.state = 'questioned';
        say('ask_user', { callId, askId: `ask_${callId}`, prompt: 'Which?', since: '2026-01-01T00:00:00.000Z' });
      } else if (size === 3) say('tool_progress', { callId, note: 'on it' });
      else {
        turn.calls.splice(turn.calls.indexOf(call), 1);
        say('tool_result', { callId, name: 'work', ok: size === 4, output: 'out', durationMs: 3, ...(which === 7 ? { untrusted: true } : {}) });
        if (turn.calls.length === 0) newReply(turn);
      }
    } else if (what === 13 && queue.length < 3) queue.push(accept());
    else if (what === 14) say('message_accepted', { messageId: name('msg'), text: 'Also', attachments: [], isSteer: true });
    else if (what === 15) say('text', { messageId: name('msg'), channel: 'trace', offset: 0, delta: 'Once more.' });
    else if (what === 17) announce(size);
    else if (what === 16) say('of_a_plugin', { shown: { text: 'Shortened.' } });
    else if (what > 18) {
      for (const one of turn.calls.splice(0).filter(({ state }) => state !== 'writing'))
        say('tool_result', { callId: one.callId, name: 'work', ok: false, output: 'Not run.', durationMs: 0, notRun: true });
      const reason = (['done', 'aborted', 'error', 'interrupted'] as const)[which % 4];
      say('turn_end', {
        reason,
        durationMs: 1,
        rounds: 1,
        tools: 0,
        usage: { input: 0, output: 0, cached: 0 },
        ...(reason === 'error' ? { error: { code: 'e', message: 'No.' } } : {}),
      });
      turn = undefined;
      const next = queue.shift();
      if (next) start(next);
    }
  }
  return events;
}
