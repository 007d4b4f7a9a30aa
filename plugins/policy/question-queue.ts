// Queues the model's questions to the user, each with its own id and without a time limit.
import type { Emitter, Registry } from 'agent-harness/kernel';
import type { Principal } from 'agent-harness/plugins/http';
import type { Approvals, Asking, PendingQuestion } from './contract.ts';
import { createResolvedIds } from './resolved-ids.ts';
import type { manifest } from './manifest.ts';

export interface QuestionQueue {
  ask: Approvals['ask'];
  answer: Approvals['answer'];
  pending(): PendingQuestion[];
}

interface Waiting {
  readonly question: PendingQuestion;
  settle(answer: string, principal: Principal | undefined): Promise<void>;
}

export function createQuestionQueue(registry: Registry<typeof manifest>, emitter: Emitter): QuestionQueue {
  const { services } = registry;
  const waiting = new Map<string, Waiting>();
  const resolved = createResolvedIds();

  function wait(question: PendingQuestion, { signal, waiting: sayWaiting }: Pick<Asking, 'signal' | 'waiting'>): Promise<string> {
    const { askId, chatId, turnId, callId } = question;
    const stops = [signal, registry.signal];
    return new Promise((resolve, reject) => {
      const putBack = sayWaiting('answer');
      for (const stop of stops) stop.addEventListener('abort', onAbort, { once: true });

      function close(): void {
        waiting.delete(askId);
        resolved.add(askId, 'decided');
        for (const stop of stops) stop.removeEventListener('abort', onAbort);
        putBack();
      }

      function onAbort(): void {
        close();
        reject(withdrawn(signal));
      }

      waiting.set(askId, {
        question,
        async settle(answer, principal) {
          close();
          emitter.emit('ask_user_answered', { chatId, turnId, callId, askId, answer, ...(principal ? { principal } : {}) });
          try {
            await services.eventLog.flushed(chatId);
          } catch (fault) {
            reject(fault);
            throw fault;
          }
          resolve(answer);
        },
      });
      emitter.emit('ask_user', question);
      if (stops.some((stop) => stop.aborted)) onAbort();
    });
  }

  return {
    async ask({ prompt, options }, asking) {
      const { chatId, turnId, callId, signal } = asking;
      if (signal.aborted) throw withdrawn(signal);
      const askId = services.storage.createId('ask');
      const since = new Date().toISOString();
      return wait({ askId, chatId, turnId, callId, prompt, ...(options === undefined ? {} : { options }), since }, asking);
    },
    async answer(askId, answer, principal) {
      const found = waiting.get(askId);
      if (!found) throw resolved.whyGone(registry, askId);
      await found.settle(answer, principal);
    },
    pending: () => [...waiting.values()].map(({ question }) => question),
  };
}

function withdrawn(signal: AbortSignal): Error {
  return new Error('The question was withdrawn before it was answered.', { cause: signal.reason });
}
