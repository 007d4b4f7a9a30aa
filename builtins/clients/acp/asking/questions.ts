// Asks the user a chat's questions: with a form if the editor supports forms, otherwise as text, answered by the next prompt.
import type { CreateElicitationRequest, CreateElicitationResponse } from '@agentclientprotocol/sdk';
import type { OpenChat } from 'agent-harness/client';
import { showHidden } from '#lib/hidden-text';
import type { Question, Transcript } from 'agent-harness/transcript';

export interface Questions {
  /** Asks new pending questions, and withdraws those that were answered in another client. */
  see(state: Transcript): void;
  withdraw(): void;
}

export interface QuestionsOptions {
  readonly chat: OpenChat;
  ask(request: Omit<CreateElicitationRequest, 'sessionId'>, signal: AbortSignal): Promise<CreateElicitationResponse>;
}

const declined = 'The user declined to answer.';

export function createQuestions({ chat, ask }: QuestionsOptions): Questions {
  const asked = new Map<string, AbortController>();

  async function pass(question: Question, signal: AbortSignal): Promise<void> {
    const reply = await ask(formOf(question), signal);
    if (signal.aborted || reply.action === 'cancel') return;
    await chat.answer(question.askId, (reply.action === 'accept' && answerIn(reply)) || declined);
  }

  return {
    see({ questions }) {
      for (const question of questions) {
        if (asked.has(question.askId)) continue;
        const controller = new AbortController();
        asked.set(question.askId, controller);
        pass(question, controller.signal).catch(() => undefined); // the question stays open for other clients
      }
      for (const [id, controller] of asked) {
        if (questions.some(({ askId }) => askId === id)) continue;
        asked.delete(id);
        controller.abort();
      }
    },
    withdraw: () => asked.forEach((controller) => controller.abort()),
  };
}

/** Formats a question as text, for editors without forms. */
export function questionText({ prompt, options = [] }: Question): string {
  return [prompt, ...options.map((option, at) => `${at + 1}. ${option}`), '(Your next message is the answer.)'].join('\n');
}

/** Converts typed text to an answer; a number selects the option at that position. */
export function answerTo({ options = [] }: Question, said: string): string {
  return (/^\d+$/.test(said) ? options[Number(said) - 1] : undefined) ?? said;
}

function formOf({ prompt, options = [], callId }: Question): Omit<CreateElicitationRequest, 'sessionId'> {
  const own = { type: 'string' as const, title: options.length > 0 ? 'Another answer' : 'Answer' };
  const choice = { type: 'string' as const, title: 'Choice', enum: options.map((option) => showHidden(option)) };
  return {
    mode: 'form',
    message: showHidden(prompt),
    toolCallId: callId,
    requestedSchema: { type: 'object', properties: options.length > 0 ? { choice, answer: own } : { answer: own }, required: [] },
  } as Omit<CreateElicitationRequest, 'sessionId'>;
}

function answerIn(reply: CreateElicitationResponse): string | undefined {
  const content = (reply as { readonly content?: Readonly<Record<string, unknown>> | null }).content ?? {};
  return [content['answer'], content['choice']].find((value): value is string => typeof value === 'string' && value.trim() !== '');
}
