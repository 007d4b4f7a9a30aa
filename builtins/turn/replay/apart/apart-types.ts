// What a server and the process apart, in which it has a turn played, say to each other.
import type { PluginState } from 'agent-harness/kernel';
import type { ModelReply, ModelRequest } from 'agent-harness/plugins/models';
import type { AnsweredRequests } from '../plugin-answers.ts';
import type { ChangedTurn, PlayedChanged } from '../play-changed.ts';

/** What is played there. JSON. */
export interface ApartTask {
  readonly turn: ChangedTurn;
  /** Plugins that are off. */
  readonly disabled: readonly string[];
  /** What plugins said where nothing is changed, by question, as JSON; left out in that run itself. */
  readonly said?: Readonly<Record<string, string>>;
  /** As {@link ApartPlayed.helped}, of that run. */
  readonly helped?: AnsweredRequests;
  /** What the record has no answer for is asked for by an {@link ApartAsk}. */
  readonly asksModel: boolean;
}

/** How a plugin of the person's fares there. */
export interface ApartPlugin {
  readonly name: string;
  readonly state: PluginState;
  readonly reason?: string;
}

export interface ApartPlayed extends PlayedChanged {
  /** As in {@link ApartTask.said}. */
  readonly said: Readonly<Record<string, string>>;
  /** What plugins asked models. */
  readonly helped: AnsweredRequests;
  /** Plugins that asked what was not recorded. */
  readonly unanswered: readonly string[];
  /** What went wrong in plugins, a sentence each. */
  readonly faults: readonly string[];
  readonly plugins: readonly ApartPlugin[];
}

/** From there: a request to a model. */
export interface ApartAsk {
  readonly ask: number;
  readonly request: ModelRequest;
}

export type ToServer = { readonly ready: true } | ApartAsk | { readonly played: ApartPlayed } | { readonly fault: string };
export type ToApart =
  | { readonly task: ApartTask }
  | { readonly answers: number; readonly reply: ModelReply }
  | { readonly answers: number; readonly fault: { code?: string; message: string } };
