// Records all inputs of a turn's loop by reference; copies and serializes nothing while the turn is running.
import { codeOf, messageOf } from '#lib/errors';
import type { LoopConfig, Turn, TurnObservation } from 'agent-harness/plugins/agent';
import type { ModelMessage, ModelReply, ModelRequest } from 'agent-harness/plugins/models';
import type { CheckedCall, Grant, RegisteredTool, ToolOutcome } from 'agent-harness/plugins/tools';
import type { EventFields } from 'agent-harness/transcript';
import type { Entry, Fault, Pieces } from './record-schema.ts';
import type { EndedReply, SeenGrant } from './record-types.ts';

/** The newest pieces, which may grow. */
interface OpenPieces extends Pieces {
  text: string;
  readonly lengths: number[];
}

export interface SeenAsk {
  readonly key: string;
  readonly request: ModelRequest;
  /** Texts that hooks added to the request and that no earlier request of the turn contained. Replies and results, even shortened ones, are in the journal. */
  readonly added: readonly ModelMessage[];
}

export interface SeenCheck {
  readonly argsText: string;
  readonly checked: CheckedCall;
}

export interface Recording {
  readonly turn: Turn;
  readonly config: LoopConfig;
  readonly log: readonly Entry[];
  readonly values: ReadonlyMap<string, readonly unknown[]>;
  readonly asks: readonly SeenAsk[];
  readonly tools: ReadonlyMap<string, RegisteredTool | undefined>;
  /** Whether the recording exceeded the limit and is therefore empty. */
  readonly isTooLarge: boolean;
  take(observation: TurnObservation): void;
  join(event: EventFields['message_accepted']): void;
}

/** @param maxBytes approximate limit for the characters of streams and tool outputs */
export function createRecording(turn: Turn, { maxRounds, maxTokens, lengthResumes, sessionMode, effort = '' }: LoopConfig, maxBytes: number): Recording {
  let log: Entry[] = [];
  let open: OpenPieces | undefined;
  let values = new Map<string, unknown[]>();
  let asks: SeenAsk[] = [];
  const tools = new Map<string, RegisteredTool | undefined>();
  /** Conversations by their number. */
  const conversations = new Map<string, readonly ModelMessage[]>();
  const added = new Set<ModelMessage>();
  let left = maxBytes;

  function push(entry: Entry, size = 0): void {
    if (pay(size + 32)) log.push(entry);
  }

  /** Returns whether the addition fits; the first overflow drops the whole recording. */
  function pay(size: number): boolean {
    if (left < 0) return false;
    left -= size;
    if (left >= 0) return true;
    log = [];
    values = new Map();
    asks = [];
    return false;
  }

  function addPiece({ key, channel, index, text }: Extract<TurnObservation, { on: 'piece' }>): void {
    if (open === undefined || open !== log.at(-1) || open.key !== key || open.channel !== channel || open.index !== index) {
      open = { on: 'pieces', key, channel, index, text, lengths: [text.length] };
      return push(open, text.length);
    }
    if (!pay(text.length + 4)) return;
    open.text += text;
    open.lengths.push(text.length);
  }

  function addValue(key: string, args: readonly unknown[], value: unknown): void {
    const [, kind] = key.split('/');
    const checked = kind === 'check' ? (value as CheckedCall) : undefined;
    const tool = kind === 'find' ? (value as RegisteredTool | undefined) : checked?.ok ? checked.tool : undefined;
    const name = kind === 'find' ? String(args[0]) : tool?.name;
    if (name !== undefined && !tools.has(name)) tools.set(name, tool);
    if (kind === 'find' || left < 0) return;
    const shown = checked ? ({ argsText: String(args[1]), checked } satisfies SeenCheck) : kind === 'route' ? modelOf(value) : value;
    const known = values.get(key);
    if (known) known.push(shown);
    else values.set(key, [shown]);
  }

  function hear(lane: number, { signal }: Turn): void {
    signal.addEventListener('abort', () => push({ on: 'abort', lane, fault: faultOf(signal.reason) }), { once: true });
  }

  function take(observation: TurnObservation): void {
    switch (observation.on) {
      case 'value':
        return addValue(observation.key, observation.args, observation.value);
      case 'answer': {
        const { args, value, fault } = observation;
        // Uses the key of older records.
        const key = observation.key.replace('/takesAudio/', '/audio/');
        if ('fault' in observation) return push({ on: 'answer', key, fault: faultOf(fault) });
        const [lane = '', kind] = key.split('/');
        if (args[0] === 'prompt.build') conversations.set(lane, [...(args[1] as { readonly messages: readonly ModelMessage[] }).messages]);
        return push({ on: 'answer', key, value: shownOf(kind, args, value) }, kind === 'run' ? sizeOf(value as ToolOutcome) : 0);
      }
      case 'request': {
        const { key, request } = observation;
        if (left < 0) return;
        const conversation = new Set(conversations.get(key.split('/', 1)[0] ?? ''));
        const isNew = (message: ModelMessage): boolean =>
          (message.role === 'system' || message.role === 'user') && !conversation.has(message) && added.size < added.add(message).size;
        asks.push({ key, request, added: request.messages.filter(isNew) });
        return;
      }
      case 'piece':
        return addPiece(observation);
      case 'call':
        return push(observation, observation.name.length);
      case 'retry': {
        const { attempt, of, reason, delayMs } = observation.notice;
        return push({ ...observation, notice: { attempt, of, reason, delayMs } }, reason.length);
      }
      case 'notice':
        return push(observation, observation.line.length);
      case 'note':
        return push(observation, observation.note.length);
      case 'task': {
        const { lane, task, turn: inner } = observation;
        push({ on: 'task', lane, task }, task.goal.length);
        return hear(lane, inner);
      }
    }
  }

  hear(0, turn);
  return {
    turn,
    config: { maxRounds, maxTokens, lengthResumes, sessionMode, effort },
    tools,
    take,
    get log() {
      return log;
    },
    get values() {
      return values;
    },
    get asks() {
      return asks;
    },
    get isTooLarge() {
      return left < 0;
    },
    join: (event) => push({ on: 'join', event }, event.text.length),
  };
}

/** Returns the part of a result to record. Values that a hook returned unchanged and parts of requests are recorded elsewhere. */
function shownOf(kind: string | undefined, args: readonly unknown[], value: unknown): unknown {
  if (kind === 'hook') return args[0] === 'prompt.build' || args[0] === 'model.request' || value === args[1] ? undefined : value;
  if (kind === 'route') return modelOf(value);
  if (kind === 'stream') return endOf(value as ModelReply);
  return kind === 'gate' && !('deny' in (value as object)) ? grantOf(value as Grant) : value;
}

/** Returns only the name of the model, because the rest of the route contains the API key. */
function modelOf(route: unknown): string {
  return (route as { readonly model: string }).model;
}

/** Returns the end of a reply without text and calls, which are taken from the pieces. */
function endOf({ finish, usage, model, text, toolCalls, providerData }: ModelReply): EndedReply {
  return { finish, usage, model, text, toolCalls, ...(providerData ? { providerData } : {}) };
}

function grantOf({ tool, args, editedBy }: Grant): SeenGrant {
  return { tool: tool.name, args, ...(editedBy === undefined ? {} : { editedBy }) };
}

function sizeOf(outcome: ToolOutcome): number {
  const pictures = outcome.ok ? (outcome.images ?? []).reduce((sum, { base64 }) => sum + base64.length, 0) : 0;
  return pictures + (outcome.ok ? outcome.output.length : outcome.error.length);
}

function faultOf(thrown: unknown): Fault {
  const code = codeOf(thrown);
  const details = typeof thrown === 'object' && thrown !== null && 'details' in thrown ? thrown.details : undefined;
  return { message: messageOf(thrown), ...(code === undefined ? {} : { code }), ...(details === undefined ? {} : { details }) };
}
