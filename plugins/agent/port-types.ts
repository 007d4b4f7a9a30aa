// Declares the ports through which a turn uses other services, and the observations of these ports. Part of the contract.
import type { Emitter } from 'agent-harness/kernel';
import type { ChatMeta, EventLog, JournalEvent } from 'agent-harness/plugins/chats';
import type { ImagePart, ModelCall, ModelRequest, Models, ReasoningEffort } from 'agent-harness/plugins/models';
import type { Storage } from 'agent-harness/plugins/storage';
import type { Artifacts, Tools } from 'agent-harness/plugins/tools';
import type { KeptImage } from './attachment-types.ts';
import type { Gate, TaskEnd, TaskStart, Turn, TurnEnd, TurnEvents } from './turn-types.ts';

export interface TurnClock {
  /** Returns the time in milliseconds since 1970. */
  now(): number;
  /** Returns a monotonic time in milliseconds; only differences are meaningful. */
  elapsed(): number;
}

/** The settings of the loop, which stay constant while a turn is running. */
export interface LoopConfig {
  readonly maxRounds: number;
  readonly maxTokens: number;
  readonly lengthResumes: number;
  readonly sessionMode: string;
  /** Reasoning effort of chats that have no value of their own; empty or omitted: the provider's default. */
  readonly effort?: ReasoningEffort | '';
}

/** The operations that the loop of a turn uses. Contract: with the same results in the same order, the loop emits the same events. */
export interface TurnPorts {
  readonly config: LoopConfig;
  readonly emitter: Pick<Emitter, 'call' | 'emit'>;
  readonly clock: TurnClock;
  readonly storage: Pick<Storage, 'createId'>;
  readonly models: Pick<Models, 'stream' | 'route' | 'routeNow' | 'takesAudio'>;
  readonly tools: Tools;
  readonly gate: Gate;
  readonly eventLog: Pick<EventLog, 'flushed'>;
  readonly artifacts: Pick<Artifacts, 'distrust'>;
  /** Saves images that a tool displays. Contract: never rejects. */
  keepImages(chatId: string, images: readonly ImagePart[]): Promise<{ readonly kept: readonly KeptImage[]; readonly shown: readonly ImagePart[] }>;
  /** Returns the model and the effort chosen for the chat. */
  chatOf(chatId: string): Promise<Pick<ChatMeta, 'model' | 'effort'>>;
  /** Returns the ports of a task in the turn; default: the ports of the turn. */
  forTask?(turn: Turn, task: TaskStart): TurnPorts;
}

/** The result of one tap. */
export interface HookAnswer {
  readonly plugin: string;
  readonly answer: unknown;
}

/**
 * An input of a turn's loop. `key` identifies it: the conversation (0, or the number of a task), the kind (`hook`, `stream`, `run`, `gate` …), its name, and
 * the number of earlier requests for it. The values are those of the turn, so read them but do not change them.
 */
export type TurnObservation =
  /** Results of synchronous operations: `now`, `elapsed`, `id/PREFIX`, `route`, `find/TOOL`, `check/TOOL`. The key has no count. */
  | { readonly on: 'value'; readonly key: string; readonly args: readonly unknown[]; readonly value: unknown }
  /** A hook call: `args` begin with the hook's name, and `answers` has one entry per tap that returned a result. */
  | {
      readonly on: 'answer';
      readonly key: string;
      readonly args: readonly unknown[];
      readonly value?: unknown;
      readonly fault?: unknown;
      readonly answers?: readonly HookAnswer[];
    }
  | { readonly on: 'request'; readonly key: string; readonly request: ModelRequest }
  | { readonly on: 'piece'; readonly key: string; readonly channel: 'text' | 'reasoning' | 'args'; readonly index: number; readonly text: string }
  | { readonly on: 'call'; readonly key: string; readonly index: number; readonly id: string; readonly name: string }
  | { readonly on: 'retry'; readonly key: string; readonly notice: Parameters<ModelCall['retry']>[0] }
  | { readonly on: 'notice'; readonly key: string; readonly line: string }
  /** Progress of a running call. */
  | { readonly on: 'note'; readonly key: string; readonly note: string }
  | { readonly on: 'task'; readonly lane: number; readonly task: TaskStart; readonly turn: Turn };

/** Receives the observations of a turn. Contract: synchronous; changes nothing. */
export type TurnObserver = (observation: TurnObservation) => void;

/** A turn that runs on supplied results. */
export interface StageTurn {
  readonly chatId: string;
  readonly turnId: string;
  readonly workspaceRoot: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** The events of the chat up to the start of the turn, including its message. */
  readonly before: AsyncIterable<JournalEvent> | readonly JournalEvent[];
  ports(turn: Turn): StagedPorts;
}

/** The ports of a staged turn; without `config`, the current settings apply. */
export type StagedPorts = Omit<TurnPorts, 'config'> & Partial<Pick<TurnPorts, 'config'>>;

export interface StagedTurn {
  /** Resolves when the turn has ended. Never rejects. */
  readonly done: Promise<TurnEnd>;
  /** Adds a message, given as its event, to the running turn. */
  join(event: TurnEvents['message_accepted']): Promise<void>;
  /** Aborts the turn. @param reason error of a user's abort, the server's shutdown, or a time limit */
  abort(reason: unknown): void;
  /** Runs a task inside the turn. Rejects with the signal's reason. */
  runTask(task: TaskStart, ports: StagedPorts, signal: AbortSignal): Promise<TaskEnd>;
}
