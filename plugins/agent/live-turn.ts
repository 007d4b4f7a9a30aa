// Stores the state of a running turn: read-only for hooks, mutable for the agent.
import type { Turn, TurnEvents, TurnPorts, WaitingFor } from 'agent-harness/plugins/agent';
import type { ChatMeta } from 'agent-harness/plugins/chats';
import type { Principal } from 'agent-harness/plugins/http';
import type { ModelMessage, ModelUsage, ReasoningEffort } from 'agent-harness/plugins/models';
import { removedText, type Brought, type Conversation, type EventKind, type Origin } from 'agent-harness/transcript';

export interface LiveTurn extends Turn {
  readonly chat?: TurnStart['chat'];
  round: number;
  toolCount: number;
  isTainted: boolean;
  readonly conversation: Conversation;
  /** Conversations of the turn's running tasks. */
  readonly tasks: Set<Conversation>;
  model?: string;
  effort?: ReasoningEffort;
  usage: ModelUsage;
  /** Ids of messages that arrived during the turn (`steer`) and join the conversation before the next round. */
  readonly steers: string[];
  /** Whether another round will follow for a joining message. */
  takesSteers: boolean;
  /** The message that requires another round of the model; it is appended to each later request of this turn, but is not part of the conversation. */
  sentBack?: ModelMessage;
  /** The current waits, innermost first. */
  readonly waits: readonly Wait[];
  readonly running: Set<string>;
  readonly say: Say;
}

/** Applies an event to the conversation, which is a fold over these events, then emits the event. @param brought the files to which the event only refers */
export type Say = <K extends EventKind & keyof TurnEvents>(kind: K, event: TurnEvents[K], brought?: Brought) => void;

export function createSay(conversation: Conversation, emitter: Pick<TurnPorts['emitter'], 'emit'>): Say {
  return (kind, event, brought) => {
    conversation.take(kind, event as never, brought);
    emitter.emit(kind, event as never);
  };
}

export interface Wait {
  readonly waitingFor: WaitingFor;
  readonly since: string;
}

export interface TurnStart {
  readonly turnId: string;
  readonly chatId: string;
  readonly messageId: string;
  readonly text: string;
  readonly workspaceRoot: string;
  readonly principal?: Principal;
  readonly origin?: Origin;
  /** Resolves when the message of the turn is on disk; see {@link Turn.kept}. */
  kept(): Promise<void>;
  /** Model and effort of the chat if they cannot change before the turn begins; otherwise, they are read when it begins. */
  readonly chat?: Pick<ChatMeta, 'model' | 'effort'>;
}

/** Creates the state of a turn. @param startedAt milliseconds since 1970 */
export function createLiveTurn(
  start: TurnStart,
  conversation: Conversation,
  signal: AbortSignal,
  emitter: Pick<TurnPorts['emitter'], 'emit'>,
  startedAt: number,
): LiveTurn {
  let waits: readonly Wait[] = [];
  return {
    ...start,
    get text() {
      return conversation.removals.has(start.messageId) ? removedText : start.text;
    },
    isRoot: true,
    signal,
    round: 0,
    toolCount: 0,
    isTainted: conversation.isTainted,
    notes: new Map(),
    conversation,
    tasks: new Set(),
    startedAt,
    usage: { input: 0, output: 0, cached: 0 },
    steers: [],
    takesSteers: false,
    running: new Set(),
    say: createSay(conversation, emitter),
    get waits() {
      return waits;
    },
    waiting(waitingFor) {
      const wait: Wait = { waitingFor, since: new Date().toISOString() };
      waits = [wait, ...waits];
      return () => {
        waits = waits.filter((one) => one !== wait);
      };
    },
  };
}

export function addUsage(sum: ModelUsage, more: ModelUsage): ModelUsage {
  const cost = sum.cost === undefined && more.cost === undefined ? {} : { cost: (sum.cost ?? 0) + (more.cost ?? 0) };
  return { input: sum.input + more.input, output: sum.output + more.output, cached: sum.cached + more.cached, ...cost };
}
