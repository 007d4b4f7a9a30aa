// Plays a record with something changed: here, or in a process apart with the plugins that run there.
import { stableJson } from 'agent-harness/lib/values';
import type { LoopConfig, Turns } from 'agent-harness/plugins/agent';
import type { JournalEvent } from 'agent-harness/plugins/chats';
import type { ModelReply, ModelRequest } from 'agent-harness/plugins/models';
import type { Tools } from 'agent-harness/plugins/tools';
import type { LiveHooks, PlayerOptions } from './player-types.ts';
import type { ShownRequest, TurnRecord } from './record-types.ts';
import { playTurn, type Played } from './replay-turn.ts';

/** A turn with what is to be another thing in it. JSON. */
export interface ChangedTurn {
  readonly record: TurnRecord;
  /** With another message of the user where that is changed. */
  readonly before: readonly JournalEvent[];
  readonly model?: string;
  readonly system?: string;
  /** Call id → what it answers. */
  readonly outcomes: Readonly<Record<string, string>>;
  readonly settings: Partial<LoopConfig>;
  /** The requests that the record answers; left out: whichever is asked at that place. */
  readonly answered?: readonly ShownRequest[];
}

export interface PlayedChanged extends Played {
  /** The first request that is another one. */
  readonly changed?: ShownRequest;
}

export interface PlayParts {
  readonly turns: Pick<Turns, 'stage'>;
  readonly tools: Pick<Tools, 'find' | 'check' | 'visible'>;
  readonly live?: LiveHooks;
  ask?(request: ModelRequest, signal: AbortSignal): Promise<ModelReply>;
}

export async function playChanged(turn: ChangedTurn, { turns, tools, live, ask }: PlayParts): Promise<PlayedChanged> {
  const { record, before, outcomes, settings, answered, model, system } = turn;
  let changed: ShownRequest | undefined;
  const options: PlayerOptions = {
    tools,
    settings,
    ...(live ? { live } : {}),
    // Of tasks inside nothing is changed.
    request: (request) =>
      request.key.startsWith('0/')
        ? { ...request, ...defined({ model, system, maxTokens: settings.maxTokens, effort: settings.effort || undefined }) }
        : request,
    isAnswered(request) {
      if (!answered) return true;
      const known = answered.find(({ key }) => key === request.key);
      const isSame = known !== undefined && stableJson(known) === stableJson(request);
      if (!isSame) changed ??= request;
      return isSame;
    },
    outcome(callId) {
      const text = outcomes[callId];
      return text === undefined ? undefined : { ok: true, output: text };
    },
    ...(ask
      ? {
          async ask(request, call, signal) {
            const reply = await ask(request, signal);
            call.text(reply.text);
            for (const [at, { id, name, argsText }] of reply.toolCalls.entries()) {
              call.toolCall(at, id, name);
              call.toolArgs(at, argsText);
            }
            return reply;
          },
        }
      : {}),
  };
  const played = await playTurn(record, before, turns, options);
  return { ...played, ...(changed ? { changed } : {}) };
}

function defined(fields: { readonly [F in 'model' | 'system' | 'maxTokens' | 'effort']: ShownRequest[F] | undefined }): Partial<ShownRequest> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
