// Creates the heartbeat's modules; loaded after the first turn while the heartbeat is enabled, or on request.
import { join } from 'node:path';
import type { Emitter } from 'agent-harness/kernel';
import type { EvidenceGates } from 'agent-harness/builtins/background/evidence-gates';
import type { Persona } from 'agent-harness/builtins/persona/persona';
import type { Plans } from 'agent-harness/builtins/tools/plan';
import type { Turns } from 'agent-harness/plugins/agent';
import type { Chats } from 'agent-harness/plugins/chats';
import type { ExactFiles } from 'agent-harness/plugins/exact-files';
import type { Models } from 'agent-harness/plugins/models';
import type { Storage } from 'agent-harness/plugins/storage';
import { counted, openLedger, type BeatLedger, type NudgeAnswer } from './beat-ledger.ts';
import { createBeats, type BeatClock, type Beats, type BeatSettings } from './beats.ts';
import { createChatGates, mostSteps, type ChatGates } from './chat-gates.ts';
import { createRunLog } from './run-log.ts';
import { createThinking, type Thinking, type ThinkSettings } from './think.ts';
import { localDay } from '#lib/local-day';

export interface HeartbeatParts {
  readonly services: {
    readonly chats: Chats;
    readonly evidenceGates: EvidenceGates | undefined;
    readonly exactFiles: ExactFiles;
    readonly models: Models;
    readonly persona: Pick<Persona, 'label'> | undefined;
    readonly plans: Plans | undefined;
    readonly product: { readonly home: string };
    readonly storage: Storage;
    readonly turns: Turns;
  };
  readonly clock: BeatClock;
  readonly config: BeatSettings & ThinkSettings & { readonly isOn: boolean };
  readonly emitter: Pick<Emitter, 'emit'>;
  warn(message: string): void;
}

export interface OpenHeartbeat {
  readonly beats: Beats;
  readonly thinking: Thinking;
  readonly ledger: BeatLedger;
  readonly gates: ChatGates;
  /** Records the answer to a nudge. Resolves with false if the nudge was not shown. */
  answer(runId: string, answer: NudgeAnswer | undefined): Promise<boolean>;
  mute(isMuted: boolean): Promise<void>;
  /** Raises the nudge threshold of the chat by one step, or resets it. Resolves with the number of steps. */
  less(chatId: string, isLess: boolean): Promise<number>;
  /** Handles a deleted chat: stops its run. */
  close(chatId: string): Promise<void>;
  /** Deletes all data that was derived from the chat. */
  forget(chatId: string, workspaceRoot: string | undefined): Promise<void>;
  /** Handles a removed message: deletes the data that was derived from it. */
  dropMessage(chatId: string, messageId: string, workspaceRoot: string | undefined): Promise<void>;
  idle(): Promise<void>;
}

export async function openHeartbeat({ services, clock, config, emitter, warn }: HeartbeatParts): Promise<OpenHeartbeat> {
  const { chats, evidenceGates, exactFiles, models, persona, plans, product, storage, turns } = services;
  const ledger = await openLedger(storage, join(product.home, 'heartbeat.json'));
  const gates = createChatGates(chats, storage);
  const log = createRunLog(exactFiles, warn);
  const thinking = createThinking({
    ...{ clock, ledger, gates, log, emitter, models, turns, settings: config, warn },
    label: async (chatId) => (await persona?.label(chatId)) ?? '',
    openTodos: async (chatId) => ((await plans?.read(chatId))?.items ?? []).flatMap(({ text, status }) => (status === 'done' ? [] : [text])),
    async offer({ runId, chatId, messageId }, candidates) {
      if (!evidenceGates) return undefined;
      const proposals = candidates.map(({ key, value, quote }) => ({ key, value, evidence: [{ chatId, entryId: messageId, quote }] }));
      // The model received only the message with this id.
      const verdicts = await evidenceGates.keep(proposals, { by: 'heartbeat', ref: runId, chats: [chatId], wasShown: ({ entryId }) => entryId === messageId });
      const countOf = (wanted: string): number => verdicts.filter(({ outcome }) => outcome === wanted).length;
      return { kept: countOf('apply'), inbox: countOf('inbox'), refused: countOf('refuse') };
    },
  });
  if (config.isOn) await thinking.recover();
  const beats = createBeats({
    ...{ clock, ledger, emitter, settings: config },
    createRunId: () => storage.createId('beat'),
    hasModel: () => models.route().wire !== 'demo',
    isBusy: (chatId) => turns.isBusy(chatId),
    think: (due, signal) => thinking.think(due, signal),
  });

  async function close(chatId: string): Promise<void> {
    beats.forget(chatId);
    await thinking.stop(chatId);
    gates.forget(chatId);
  }

  return {
    beats,
    thinking,
    ledger,
    gates,
    async answer(runId, answer) {
      const now = new Date(clock.now());
      const find = (): boolean => ledger.state.runs.some((run) => run.runId === runId && run.nudge?.isShown === true);
      if (!find()) return false;
      await ledger.change((state) => {
        const run = state.runs.find((one) => one.runId === runId);
        if (!run?.nudge || run.nudge.answer === answer) return state;
        const { answer: before, ...nudge } = run.nudge;
        const runs = state.runs.map((one) => (one === run ? { ...run, nudge: { ...nudge, ...(answer === undefined ? {} : { answer }) } } : one));
        const taken = before === undefined ? state : counted(state, now, { [before]: -1 });
        return { ...(answer === undefined ? taken : counted(taken, now, { [answer]: 1 })), runs };
      });
      emitter.emit('heartbeat_changed', {});
      return true;
    },
    async mute(isMuted) {
      const today = localDay(new Date(clock.now()));
      await ledger.change(({ mutedOn: _, ...state }) => ({ ...state, ...(isMuted ? { mutedOn: today } : {}) }));
      emitter.emit('heartbeat_changed', {});
    },
    async less(chatId, isLess) {
      const steps = isLess ? Math.min(mostSteps, (await gates.read(chatId)) + 1) : 0;
      await gates.write(chatId, steps);
      emitter.emit('heartbeat_changed', { chatId });
      return steps;
    },
    close,
    async forget(chatId, workspaceRoot) {
      await close(chatId);
      await ledger.change((state) => {
        const runs = state.runs.filter((run) => run.chatId !== chatId);
        return runs.length === state.runs.length ? state : { ...state, runs };
      });
      if (workspaceRoot !== undefined) await log.forget(workspaceRoot, chatId);
    },
    async dropMessage(chatId, messageId, workspaceRoot) {
      if (beats.waiting(chatId)?.messageId === messageId) beats.forget(chatId);
      await ledger.change((state) => {
        const runs = state.runs.filter((run) => run.chatId !== chatId || run.messageId !== messageId);
        return runs.length === state.runs.length ? state : { ...state, runs };
      });
      if (workspaceRoot !== undefined) await log.forget(workspaceRoot, chatId, messageId);
    },
    async idle() {
      await log.idle();
      await ledger.idle();
    },
  };
}
