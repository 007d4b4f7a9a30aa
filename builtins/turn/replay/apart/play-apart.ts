// The process apart: plays what it is sent with the plugins that run in it, and ends.
import type { Emitter, KernelControl } from 'agent-harness/kernel';
import { messageOf } from 'agent-harness/lib/errors';
import type { Turns } from 'agent-harness/plugins/agent';
import type { ModelReply } from 'agent-harness/plugins/models';
import type { UserPlugins } from 'agent-harness/plugins/settings';
import type { Tools } from 'agent-harness/plugins/tools';
import { createPluginAnswers } from '../plugin-answers.ts';
import { playChanged } from '../play-changed.ts';
import { errorFrom } from '../played-parts.ts';
import type { AskModel } from '../record-turns.ts';
import type { ApartPlayed, ApartTask, ToApart, ToServer } from './apart-types.ts';
import { createLiveHooks } from './live-hooks.ts';

export interface ApartParts {
  /** From now on models are not asked, but that. */
  answerModels(by: AskModel): void;
  error(reason: 'NOT_RECORDED', details: { readonly plugin: string; readonly purpose: string }): Error;
  readonly emitter: Pick<Emitter, 'call' | 'on'>;
  readonly kernel: Pick<KernelControl, 'report' | 'setDisabled' | 'idle'>;
  readonly userPlugins: Pick<UserPlugins, 'onFault'> | undefined;
  readonly turns: Pick<Turns, 'stage'>;
  readonly tools: Pick<Tools, 'find' | 'check' | 'visible'>;
}

/** How whoever wants a turn played is reached. */
export interface ApartChannel {
  send(message: ToServer): void;
  /** Until the process is let go. */
  onMessage(hear: (message: ToApart) => void): void;
  close(): void;
}

/** Throws where no other process started this one. */
export function toParent(error: (reason: 'INVALID_CHANGE', details: { readonly why: string }) => Error): ApartChannel {
  if (!process.send) throw error('INVALID_CHANGE', { why: 'This is for the program itself; leave out --apart.' });
  return {
    send: (message) => void process.send?.(message),
    onMessage(hear) {
      process.on('message', hear);
      // Nobody waits for it any more.
      process.once('disconnect', () => process.exit());
    },
    close: () => process.removeAllListeners('message').removeAllListeners('disconnect'),
  };
}

/** Answers the exit code. */
export async function serveApart(parts: ApartParts, channel: ApartChannel): Promise<number> {
  const waiting = new Map<number, { resolve(reply: ModelReply): void; reject(fault: Error): void }>();
  let asked = 0;
  const task = new Promise<ApartTask>((resolve) =>
    channel.onMessage((message) => {
      if ('task' in message) return resolve(message.task);
      const one = waiting.get(message.answers);
      waiting.delete(message.answers);
      if ('reply' in message) one?.resolve(message.reply);
      else one?.reject(Object.assign(new Error(message.fault.message), message.fault.code === undefined ? {} : { code: message.fault.code }));
    }),
  );
  const ask: AskModel = (request, signal) =>
    new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const at = ++asked;
      signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
      waiting.set(at, { resolve, reject });
      channel.send({ ask: at, request });
    });
  channel.send({ ready: true });
  try {
    channel.send({ played: await playApart(await task, parts, ask) });
    return 0;
  } catch (fault) {
    channel.send({ fault: messageOf(fault) });
    return 1;
  } finally {
    channel.close();
  }
}

async function playApart({ turn, disabled, said: before, helped, asksModel }: ApartTask, parts: ApartParts, ask: AskModel): Promise<ApartPlayed> {
  const { emitter, kernel, turns, tools } = parts;
  if (disabled.length > 0) await kernel.setDisabled(disabled);
  await kernel.idle();
  const live = createLiveHooks(emitter, before);
  const faults = new Set<string>();
  emitter.on('error', ({ message }) => void faults.add(message));
  parts.userPlugins?.onFault(({ plugin, what, fault }) => void faults.add(`${plugin}, ${what}: ${messageOf(fault)}.`));
  const pluginAsks = createPluginAnswers(turn.record.pluginAsks ?? [], helped);
  parts.answerModels(async (request, signal) => {
    const { reply, fault } = pluginAsks.answerTo(request) ?? {};
    if (fault) throw errorFrom(fault);
    if (reply) return reply;
    if (asksModel) return ask(request, signal);
    throw parts.error('NOT_RECORDED', { plugin: request.plugin ?? 'agent', purpose: request.purpose });
  });
  const played = await playChanged(turn, { turns, tools, live, ...(asksModel ? { ask } : {}) });
  const plugins = kernel.report().plugins.map(({ name, state, reason }) => ({ name, state, ...(reason === undefined ? {} : { reason }) }));
  return { ...played, said: live.said, helped: pluginAsks.known, unanswered: pluginAsks.unanswered, faults: [...faults], plugins };
}
