// Everything that a turn takes from its surroundings, and how that is observed. Part of the contract.
import type { Emitter } from 'agent-harness/kernel';
import type { ChatMeta, EventLog, JournalEvent } from 'agent-harness/plugins/chats';
import type { ImagePart, ModelCall, ModelRequest, Models, ReasoningEffort } from 'agent-harness/plugins/models';
import type { Storage } from 'agent-harness/plugins/storage';
import type { Artifacts, Tools } from 'agent-harness/plugins/tools';
import type { KeptImage } from './attachment-types.ts';
import type { Gate, TaskEnd, TaskStart, Turn, TurnEnd, TurnEvents } from './turn-types.ts';

/** The time as a turn sees it. */
export interface TurnClock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Milliseconds; only differences mean something. */
  elapsed(): number;
}

/** The settings of the loop itself; none changes while a turn runs. */
export interface LoopConfig {
  readonly maxRounds: number;
  readonly maxTokens: number;
  readonly lengthResumes: number;
  readonly sessionMode: string;
  /** Applies to chats without a value of their own; empty or left out: the default of the provider. */
  readonly effort?: ReasoningEffort | '';
}

/** With the same answers, in the same order, the loop says the same events. */
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
  /** Saves pictures that a tool shows. Contract: never rejects. */
  keepImages(chatId: string, images: readonly ImagePart[]): Promise<{ readonly kept: readonly KeptImage[]; readonly shown: readonly ImagePart[] }>;
  /** With the model and the effort that were chosen for it. */
  chatOf(chatId: string): Promise<Pick<ChatMeta, 'model' | 'effort'>>;
  /** Those of a task that begins in the turn; the turn's own when left out. */
  forTask?(turn: Turn, task: TaskStart): TurnPorts;
}

/** What a plugin answered at a hook. */
export interface HookAnswer {
  readonly plugin: string;
  readonly answer: unknown;
}

/**
 * Something that the loop of a turn is told. `key` names the question: the lane (0, or the number of a task), the kind (`hook`, `stream`, `run`, `gate` …),
 * its name, and how often it was asked before. Values are those of the turn: read them and change nothing.
 */
export type TurnObservation =
  /** Answered at once: `now`, `elapsed`, `id/PREFIX`, `route`, `find/TOOL`, `check/TOOL`. Without a count in the key. */
  | { readonly on: 'value'; readonly key: string; readonly args: readonly unknown[]; readonly value: unknown }
  /** Of a hook `args` begin with its name, and `answers` has one for each tap that gave any. */
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
  /** Progress of a call that runs. */
  | { readonly on: 'note'; readonly key: string; readonly note: string }
  | { readonly on: 'task'; readonly lane: number; readonly task: TaskStart; readonly turn: Turn };

/** Synchronous, and changes nothing. */
export type TurnObserver = (observation: TurnObservation) => void;

/** A turn that runs on answers of somebody else. */
export interface StageTurn {
  readonly chatId: string;
  readonly turnId: string;
  readonly workspaceRoot: string;
  /** Milliseconds since 1970. */
  readonly startedAt: number;
  /** The events of the chat up to the start of the turn, its message included. */
  readonly before: AsyncIterable<JournalEvent> | readonly JournalEvent[];
  ports(turn: Turn): StagedPorts;
}

/** The settings of now, where they are left out. */
export type StagedPorts = Omit<TurnPorts, 'config'> & Partial<Pick<TurnPorts, 'config'>>;

export interface StagedTurn {
  /** Never rejects. */
  readonly done: Promise<TurnEnd>;
  /** A message joins it: the event that says so. */
  join(event: TurnEvents['message_accepted']): Promise<void>;
  /** Ends it as a person does, or as the end of the server, or as its limit of time. */
  abort(reason: unknown): void;
  /** Runs a task inside of it. Rejects with the reason of the signal. */
  runTask(task: TaskStart, ports: StagedPorts, signal: AbortSignal): Promise<TaskEnd>;
}
