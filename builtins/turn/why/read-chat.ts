// Reads the messages, calls and decisions of a chat with their authors from its journal, in order.
import type { JournalEvent } from 'agent-harness/plugins/chats';
import type { EventFields } from 'agent-harness/transcript';
import { handle, isOwnersWord, type ChatEvent } from 'agent-harness/transcript';

/** A position in the journal. */
export interface Place {
  readonly id: number;
  /** Time of the event, ISO 8601. */
  readonly at: string;
}

export interface SaidMessage extends Place {
  readonly kind: 'message';
  readonly messageId: string;
  /** Id of the turn; omitted if the message started no turn. */
  readonly turnId?: string;
  readonly text: string;
  readonly isOwners: boolean;
  readonly isSteer: boolean;
  readonly person?: string;
  readonly origin?: { readonly plugin: string; readonly reason: string };
  /** Kind of the message's event. */
  readonly event: 'message_accepted' | 'announcement';
  readonly isForModel: boolean;
}

/** A task that a call started as a nested turn. */
export interface SeenTask {
  readonly taskId: string;
  /** Id of the call that started the task. */
  readonly callId: string;
  /** Complete goal of the task. */
  readonly goal: string;
  readonly model: string;
}

export interface SaidAnswer extends Place {
  readonly kind: 'answer';
  readonly messageId: string;
  readonly turnId: string;
  text: string;
  /** The task in which the answer was written, if any. */
  readonly task?: SeenTask;
}

export interface SeenCall extends Place {
  readonly kind: 'call';
  readonly callId: string;
  /** Id of the message that was written with the call; empty if there is none. */
  readonly messageId: string;
  readonly turnId: string;
  /** The task in which the call was made, if any. */
  readonly task?: SeenTask;
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  result?: Place & { readonly output: string; readonly isOutside: boolean };
  asked?: Partial<EventFields['tool_approval']>;
  decided?: Partial<EventFields['approval_decision']>;
  question?: { readonly prompt: string; readonly answer?: string };
  readonly notes: string[];
}

export interface SeenChat {
  readonly entries: readonly (SaidMessage | SaidAnswer | SeenCall)[];
  /** Ids of all turns in chronological order. */
  readonly turnIds: readonly string[];
  /** Ids of turns with a model request; excludes turns that a command answered. */
  readonly modelTurnIds: ReadonlySet<string>;
  /** Position of the last compression since the last reset, if any. */
  readonly compressed?: Place;
}

export async function readChat(events: AsyncIterable<JournalEvent>): Promise<SeenChat> {
  const entries: (SaidMessage | SaidAnswer | SeenCall)[] = [];
  const calls = new Map<string, SeenCall>();
  const answers = new Map<string, SaidAnswer>();
  const tasks = new Map<string, SeenTask>();
  /** Id of the last text of each task. */
  const lastSaid = new Map<string, string>();
  const turnIds = new Set<string>();
  const modelTurnIds = new Set<string>();
  let compressed: Place | undefined;

  function say(answer: SaidAnswer): void {
    const known = answers.get(answer.messageId);
    if (known) return void (known.text += answer.text);
    answers.set(answer.messageId, answer);
    entries.push(answer);
  }

  function addCall(call: SeenCall): void {
    calls.set(call.callId, call);
    entries.push(call);
  }

  for await (const event of events) {
    const { id, at, kind, turnId = '' } = event;
    // An event of a plugin, which the transcript only displays.
    if (kind === 'context_compressed') compressed = { id, at };
    if (kind === 'memory_changed') noteIn(calls, turnIds, String(event['noteId']));
    handle(event as ChatEvent, {
      message_accepted(said) {
        const of = { isForModel: true, isOwners: isOwnersWord(said), isSteer: said.isSteer === true };
        entries.push({ kind: 'message', event: 'message_accepted', id, at, turnId, ...wordsOfMessage(said), ...of });
      },
      announcement(said) {
        const of = { isForModel: said.isForModel === true, isOwners: false, isSteer: false };
        entries.push({ kind: 'message', event: 'announcement', id, at, ...wordsOfMessage(said), ...of });
      },
      turn_start: () => void turnIds.add(turnId),
      turn_end: ({ rounds = 0 }) => void (rounds > 0 && modelTurnIds.add(turnId)),
      text({ messageId, delta, channel }) {
        if (channel === 'user') say({ kind: 'answer', id, at, messageId, turnId, text: delta });
      },
      subtask_start({ taskId, callId, goal = '', model = '' }) {
        tasks.set(taskId, { taskId, callId, goal, model });
      },
      subtask_text({ taskId, messageId = '', delta }) {
        const task = tasks.get(taskId);
        lastSaid.set(taskId, messageId);
        if (task) say({ kind: 'answer', id, at, messageId, turnId, text: delta, task });
      },
      subtask_tool({ taskId, toolCallId: callId, name = '', args, ok, output = '' }) {
        const task = tasks.get(taskId);
        const known = calls.get(callId);
        if (known && ok !== undefined) known.result = { id, at, output, isOutside: false };
        if (known || !task || args === undefined) return;
        addCall({ ...{ kind: 'call', id, at, callId, turnId, name, task, notes: [] }, messageId: lastSaid.get(taskId) ?? '', args: recordOf(args) });
        lastSaid.delete(taskId);
      },
      tool_start({ callId, messageId = '', name, args }) {
        if (args !== undefined && !calls.has(callId)) addCall({ kind: 'call', id, at, callId, messageId, turnId, name, args: recordOf(args), notes: [] });
      },
      tool_result({ callId, output = '', untrusted = false }) {
        const call = calls.get(callId);
        if (call) call.result = { id, at, output, isOutside: untrusted };
      },
      tool_approval(asked) {
        const call = calls.get(asked.callId);
        if (call) call.asked = asked;
      },
      approval_decision(decided) {
        const call = calls.get(decided.callId);
        if (call) call.decided = decided;
      },
      ask_user({ callId, prompt = '' }) {
        const call = calls.get(callId);
        if (call) call.question = { prompt };
      },
      ask_user_answered({ callId, answer = '' }) {
        const call = calls.get(callId);
        if (call?.question) call.question = { ...call.question, answer };
      },
      conversation_reset: () => void (compressed = undefined),
    });
  }
  return { entries, turnIds: [...turnIds], modelTurnIds, ...(compressed ? { compressed } : {}) };
}

const recordOf = (args: unknown): Readonly<Record<string, unknown>> => Object(args) as Record<string, unknown>;

type Said = Parameters<typeof isOwnersWord>[0] & { readonly messageId: string; readonly text: string };

function wordsOfMessage({ messageId, text, origin, principal }: Said): Pick<SaidMessage, 'messageId' | 'text' | 'origin' | 'person'> {
  const person = principal?.name;
  return { messageId, text, ...(origin ? { origin: { plugin: origin.plugin, reason: origin.reason } } : {}), ...(person === undefined ? {} : { person }) };
}

/** Attributes a note that was saved while a call was running to that call. */
function noteIn(calls: ReadonlyMap<string, SeenCall>, turnIds: ReadonlySet<string>, noteId: string): void {
  const turnId = [...turnIds].at(-1);
  const open = [...calls.values()].filter((call) => call.turnId === turnId && call.result === undefined);
  open.at(-1)?.notes.push(noteId);
}
