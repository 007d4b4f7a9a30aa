// Asks the plugins of now, and holds what they say against what they say where nothing is changed: only where both differ it counts.
import type { CallOptions, Emitter } from 'agent-harness/kernel';
import { messageOf } from 'agent-harness/lib/errors';
import { stableJson } from 'agent-harness/lib/values';
import type { Denial, ToolCall } from 'agent-harness/plugins/agent';
import type { LiveAnswer, LiveHooks } from '../player-types.ts';

export interface NotedHooks extends LiveHooks {
  /** What was said so far, by question, as JSON. Live. */
  readonly said: Readonly<Record<string, string>>;
}

/** @param before what was said where nothing is changed; left out in that run, in which the record counts */
export function createLiveHooks(emitter: Pick<Emitter, 'call'>, before?: Readonly<Record<string, string>>): NotedHooks {
  const said: Record<string, string> = {};

  async function note<T>(key: string, work: Promise<T>): Promise<LiveAnswer<T>> {
    let take: () => T;
    let text: string;
    try {
      const value = await work;
      text = stableJson(value ?? null);
      take = () => value;
    } catch (fault) {
      text = stableJson({ fault: messageOf(fault) });
      take = () => {
        throw fault;
      };
    }
    said[key] = text;
    return { isOther: before !== undefined && before[key] !== text, take };
  }

  const callHook = (hook: string, args: readonly unknown[], options?: CallOptions): Promise<unknown> => emitter.call(hook as never, args as never, options);

  async function judge(call: ToolCall): Promise<Denial | { readonly args: ToolCall['args'] }> {
    const { args } = (await callHook('tool.prepare', [call])) as ToolCall;
    const refusal = await callHook('tool.before', [{ ...call, args }]);
    return refusal === undefined ? { args } : (refusal as Denial);
  }

  return {
    said,
    call: (key, hook, args, options) => note(key, callHook(hook, args, options)),
    judge: (key, call) => note(key, judge(call)),
  };
}
