// What plays a record, and where somebody else than the record decides.
import type { CallOptions } from 'agent-harness/kernel';
import type { Denial, LoopConfig, StagedPorts, StagedTurn, ToolCall } from 'agent-harness/plugins/agent';
import type { ModelCall, ModelReply, ModelRequest } from 'agent-harness/plugins/models';
import type { ToolOutcome, Tools } from 'agent-harness/plugins/tools';
import type { ShownRequest } from './record-types.ts';

/** One event as the loop said it, without the number and the time that the log gives. */
export interface SaidEvent {
  readonly kind: string;
  readonly [field: string]: unknown;
}

/** Where somebody else than the record decides; what is left out, the record does. */
export interface PlayerOptions {
  /** Settings of the loop, in the place of those of then. */
  readonly settings?: Partial<LoopConfig>;
  /** The request as it is to be. Answers it as it came where nothing is changed. */
  request?(request: ShownRequest): ShownRequest;
  /** Whether what was recorded answers such a request. */
  isAnswered?(request: ShownRequest): boolean;
  /** Answers a request that the record has no answer for. */
  ask?(request: ModelRequest, call: ModelCall, signal: AbortSignal): Promise<ModelReply>;
  /** What a tool answers in the place of what is recorded. */
  outcome?(callId: string, name: string, args: unknown): ToolOutcome | undefined;
  /** Plugins of now are asked, too. */
  readonly live?: LiveHooks;
  /** The tools as they are now: for calls that the record does not know. */
  readonly tools?: Pick<Tools, 'find' | 'check' | 'visible'>;
}

/** What plugins of now say. `isOther`: they say something else than they do where nothing is changed, so it counts and not what is recorded. */
export interface LiveAnswer<T> {
  readonly isOther: boolean;
  /** The answer, or throws as they did. */
  take(): T;
}

export interface LiveHooks {
  /** Contract: never rejects. @param key which of the questions of the turn it is */
  call(key: string, hook: string, args: readonly unknown[], options: CallOptions | undefined): Promise<LiveAnswer<unknown>>;
  /** What comes before a call runs, without whoever is asked. Contract: never rejects. */
  judge(key: string, call: ToolCall): Promise<LiveAnswer<Denial | { readonly args: ToolCall['args'] }>>;
}

export interface Player {
  ports(): StagedPorts;
  /** Plays until the turn is over. */
  play(turn: StagedTurn): Promise<void>;
  readonly events: readonly SaidEvent[];
  readonly requests: readonly ShownRequest[];
  /** The first thing that the record has no answer for; the turn ended there. */
  readonly missing: { readonly key: string; readonly request?: ShownRequest } | undefined;
  /** Calls that nobody answered, since nothing runs. */
  readonly notRun: readonly string[];
}
