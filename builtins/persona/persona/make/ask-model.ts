// Asks the model a question that is answered in JSON: limits the time, retries failures, and repairs invalid responses.
import { hasCode, messageOf } from '#lib/errors';
import { textStart } from '#lib/text';
import { answeredJson, isRecord } from '#lib/values';
import type { ModelMessage } from 'agent-harness/plugins/models';
import type { PersonaParts } from '../persona-parts.ts';

export interface Question {
  readonly system: string;
  readonly text: string;
  readonly maxTokens: number;
  /** Called with the response text so far; the text starts over with each model call. */
  onText(text: string): void;
  /** Returns what is wrong with a JSON response, for the model; `undefined` if it is usable. */
  judge(answer: unknown): string | undefined;
}

export interface Asking {
  /** Resolves with the reason for a complete or partial failure, for users; `undefined` if a response was usable. Rejects only when the signal is aborted. */
  ask(question: Question, signal: AbortSignal): Promise<string | undefined>;
}

/** Maximum length of a response in UTF-16 code units; a longer response is invalid, and its call is aborted. */
const longestAnswer = 24_000;
/** Maximum length of an invalid response that the model receives again. */
const shownAnswer = 6_000;
/** Errors that would occur again on a retry. */
const final = [
  'MODELS_ERR_PROVIDER_AUTH',
  'MODELS_ERR_PROVIDER_REFUSED',
  'MODELS_ERR_BUDGET',
  'MODELS_ERR_DAY_BUDGET',
  'MODELS_ERR_CONTEXT_OVERFLOW',
  'MODELS_ERR_NO_ADAPTER',
];

export function createAsking({ services, config, error }: PersonaParts): Asking {
  /** Reason why the model is unavailable; the remaining parts are then created by rules. */
  let down: string | undefined;

  async function call(question: Question, messages: readonly ModelMessage[], signal: AbortSignal): Promise<string> {
    const ending = new AbortController();
    const timer = setTimeout(() => ending.abort(error('NO_ANSWER', { ms: config.timeoutMs })), config.timeoutMs);
    let text = '';
    try {
      const reply = await services.models.stream(
        {
          ...{ system: question.system, messages, tools: [], maxTokens: question.maxTokens, purpose: 'persona', plugin: 'persona' },
          ...(config.model.trim() === '' ? {} : { model: config.model.trim() }),
        },
        {
          text(delta) {
            text += delta;
            if (text.length > longestAnswer) ending.abort(error('TOO_LONG', { most: longestAnswer }));
            else question.onText(text);
          },
          retry: () => void (text = ''),
          ...{ reasoning: ignore, toolCall: ignore, toolArgs: ignore },
        },
        AbortSignal.any([signal, ending.signal]),
      );
      return reply.text;
    } finally {
      clearTimeout(timer);
    }
  }

  async function callAgain(question: Question, messages: readonly ModelMessage[], signal: AbortSignal): Promise<string> {
    for (let failed = 0; ; failed++) {
      try {
        return await call(question, messages, signal);
      } catch (fault) {
        signal.throwIfAborted();
        if (hasCode(fault, ...final) || failed >= config.retries) throw fault;
      }
    }
  }

  return {
    async ask(question, signal) {
      if (down !== undefined) return down;
      const messages: ModelMessage[] = [{ role: 'user', text: question.text }];
      for (let mended = 0; ; mended++) {
        let answer: string;
        try {
          answer = await callAgain(question, messages, signal);
        } catch (fault) {
          signal.throwIfAborted();
          return (down = messageOf(fault));
        }
        const found = await jsonIn(answer);
        const problem = found === undefined ? 'it is not JSON' : question.judge(found);
        if (problem === undefined) return undefined;
        if (mended >= config.repairs) return `The reply of the model could not be used: ${problem}.`;
        messages.push(
          { role: 'assistant', text: textStart(answer, shownAnswer) || '(nothing)', toolCalls: [] },
          { role: 'user', text: `Invalid answer: ${problem}. Answer again with the requested JSON object and nothing else.` },
        );
      }
    },
  };
}

/** Finds the JSON object in a response that is fenced, surrounded by text, or repairable. */
async function jsonIn(answer: string): Promise<Readonly<Record<string, unknown>> | undefined> {
  const plain = answeredJson(answer);
  if (isRecord(plain)) return plain;
  const start = answer.indexOf('{');
  if (start === -1) return undefined;
  const end = answer.lastIndexOf('}');
  const { jsonrepair } = await import('jsonrepair');
  for (const part of end > start ? [answer.slice(start, end + 1), answer.slice(start)] : [answer.slice(start)]) {
    try {
      const mended = JSON.parse(jsonrepair(part)) as unknown;
      if (isRecord(mended)) return mended;
    } catch {
      // tries the next candidate
    }
  }
  return undefined;
}

function ignore(): void {}
