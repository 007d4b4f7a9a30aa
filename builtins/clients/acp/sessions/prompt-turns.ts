// Tracks pending prompts: each from sending its message to the end of its turn.
import type { PromptResponse, StopReason } from '@agentclientprotocol/sdk';
import type { Client, OpenChat } from 'agent-harness/client';
import { BoundedMap } from '#lib/values';
import { outcomeOf, type Question, type Transcript, type TurnOutcome, type UserEntry } from 'agent-harness/transcript';
import { answerTo } from '../asking/questions.ts';
import { WireError, wireCodes } from '../wire/wire-error.ts';
import type { PromptMessage } from './prompt-content.ts';

export interface PromptTurns {
  /** Rejects if the server refuses the message or the turn fails. */
  run(message: PromptMessage): Promise<PromptResponse>;
  /** Resolves the prompts whose turns have ended, after sending their last changes. */
  see(state: Transcript): void;
  /** Ends the prompt of a turn that asks a question; the user answers with the next prompt. */
  waitForWords(question: Question): void;
  /** Aborts the running turn; every pending prompt then ends as cancelled. */
  cancel(): void;
  /** Resolves when no prompt is pending. */
  idle(): Promise<void>;
  readonly isOpen: boolean;
  /** Returns whether updates of the turn must no longer be sent. */
  isOver(turnId: string): boolean;
  isOwn(message: UserEntry): boolean;
}

export interface PromptTurnsOptions {
  readonly client: Client;
  readonly chat: OpenChat;
  /** Called before the reply to a prompt is sent. */
  beforeEnd(): void;
  /** Shows a message in the editor. */
  say(text: string): void;
}

interface Prompt {
  turnId?: string;
  isCancelled: boolean;
  /** Resolves when all work of the prompt has ended. */
  stopped?: Promise<void>;
  isEnding: boolean;
  end(reason: StopReason): void;
  fail(fault: unknown): void;
}

const rememberedTurns = 200;
/** Time limit for a turn to end after an abort, in milliseconds. */
const endPatienceMs = 2_000;
const stopReasons: Readonly<Record<string, StopReason>> = { aborted: 'cancelled', round_limit: 'max_turn_requests' };

export function createPromptTurns({ client, chat, beforeEnd, say }: PromptTurnsOptions): PromptTurns {
  const prompts = new Set<Prompt>();
  const over = new BoundedMap<string, true>(rememberedTurns);
  const own = new BoundedMap<string, true>(rememberedTurns);
  let question: Question | undefined;
  let number = 0;
  const base = `acp-${crypto.randomUUID()}`;

  /** Submits a message and returns the turn id. */
  async function submit({ text, attachments }: PromptMessage): Promise<string> {
    const { chatId } = chat;
    const asked = question;
    question = undefined;
    if (asked && chat.state.get().questions.some(({ askId }) => askId === asked.askId)) {
      await chat.answer(asked.askId, answerTo(asked, text));
      return asked.turnId;
    }
    const clientId = `${base}-${++number}`;
    own.set(clientId, true);
    const files = attachments.length > 0 ? { attachments: [...attachments] } : {};
    const { turnId } = await client.call('POST /api/message', { body: { chatId, text, clientId, whenBusy: 'queue', ...files } });
    return turnId;
  }

  async function start(prompt: Prompt, message: PromptMessage): Promise<void> {
    try {
      prompt.turnId = await submit(message);
      if (prompt.isCancelled) stop();
      turns.see(chat.state.get());
    } catch (fault) {
      if (prompt.isCancelled) prompt.end('cancelled');
      else prompt.fail(fault);
    }
  }

  /** Aborts the turn of the cancelled prompts; the server also removes queued messages. */
  function stop(): void {
    const running = [...prompts].filter(({ isCancelled, turnId, stopped }) => isCancelled && turnId !== undefined && !stopped);
    if (running.length === 0) return;
    const stopped = chat.abort().catch(() => undefined); // the server is gone, and its turns with it
    for (const prompt of running) {
      prompt.stopped = stopped;
      void stopped.then(() => setTimeout(() => finish(prompt, { reason: 'aborted', text: '' }), endPatienceMs).unref());
    }
  }

  function finish(prompt: Prompt, outcome: TurnOutcome): void {
    if (prompt.isEnding) return;
    prompt.isEnding = true;
    if (prompt.turnId !== undefined) over.set(prompt.turnId, true);
    void settle(prompt, outcome);
  }

  async function settle(prompt: Prompt, { reason, why = 'The turn failed.' }: TurnOutcome): Promise<void> {
    await prompt.stopped;
    if (prompt.isCancelled) return prompt.end('cancelled');
    if (reason === 'error' || reason === 'interrupted') return prompt.fail(new WireError(wireCodes.internal, why, { reason }));
    if (reason === 'budget') say(why);
    prompt.end(stopReasons[reason] ?? 'end_turn');
  }

  const turns: PromptTurns = {
    async run(message) {
      let prompt: Prompt | undefined;
      try {
        return await new Promise<PromptResponse>((resolve, reject) => {
          prompt = {
            isCancelled: false,
            isEnding: false,
            end(stopReason) {
              beforeEnd();
              resolve({ stopReason });
            },
            fail: reject,
          };
          prompts.add(prompt);
          void start(prompt, message);
        });
      } finally {
        if (prompt) prompts.delete(prompt);
      }
    },
    see(state) {
      for (const prompt of prompts) {
        const { turnId } = prompt;
        if (turnId === undefined || prompt.isEnding || state.running?.turnId === turnId) continue;
        const outcome = outcomeOf(state, turnId);
        if (outcome) finish(prompt, outcome);
      }
    },
    waitForWords(asked) {
      question = asked;
      for (const prompt of prompts) {
        if (prompt.turnId !== asked.turnId || prompt.isEnding) continue;
        prompt.isEnding = true;
        prompt.end('end_turn');
      }
    },
    cancel() {
      for (const prompt of prompts) prompt.isCancelled = true;
      const isSent = [...prompts].some(({ turnId }) => turnId !== undefined);
      if (isSent) stop();
      else if (prompts.size === 0 && chat.state.get().running) void chat.abort().catch(() => undefined);
    },
    async idle() {
      while (prompts.size > 0) await new Promise((resolve) => setTimeout(resolve, 5));
    },
    get isOpen() {
      return prompts.size > 0;
    },
    isOver: (turnId) => over.has(turnId),
    isOwn: ({ clientId }) => clientId !== undefined && own.has(clientId),
  };
  return turns;
}
