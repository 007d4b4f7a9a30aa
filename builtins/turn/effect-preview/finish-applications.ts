// At startup, finishes applying approved changes that a killed server had started to apply, reports this in the chats, and removes all preview stages.
import type { Logger, Services } from 'agent-harness/kernel';
import { createUnderWay } from '#lib/async';
import { messageOf } from '#lib/errors';
import { handle, interruptedOutput, type ChatEvent } from 'agent-harness/transcript';
import { endApplication, type EndedApplication } from './application-record.ts';
import { removeStage } from './preview-stages.ts';

export interface FinishParts {
  readonly services: Pick<Services, 'checkpoints' | 'eventLog' | 'exactFiles' | 'turns'>;
  readonly log: Logger;
}

/** Resolves when all started changes are applied; the stages are removed in the background. Contract: never rejects; failures are retried at the next start. */
export async function finishApplications(stages: readonly string[], { services, log }: FinishParts): Promise<{ readonly removed: Promise<void> }> {
  const removing = createUnderWay();
  for (const stage of stages) {
    try {
      const ended = await endApplication(stage, services);
      if (ended)
        await announce(ended, services).catch((fault: unknown) => log.warn(`the completed changes could not be reported in the chat: ${messageOf(fault)}`)); // the chat was deleted
      void removing.add(removeStage(stage)).catch(() => undefined); // retried at the next start
    } catch (fault) {
      log.warn(`the approved changes of a command could not be completed: ${messageOf(fault)}`);
    }
  }
  return { removed: removing.idle() };
}

/** Adds a message to the chat, also for the model, because the call only has the result of an interrupted call. */
async function announce({ context, isNothing, count, left }: EndedApplication, { turns, eventLog }: FinishParts['services']): Promise<void> {
  const { chatId, callId } = context;
  if (left.length === 0 && (await hasResult(chatId, callId, eventLog))) return;
  const changes = count === 1 ? 'One change' : `${count.toLocaleString('en')} changes`;
  const kept = left.length === 0 ? '' : ` Skipped, changed meanwhile: ${left.slice(0, 20).join(', ')}${left.length > 20 ? ' and more' : ''}.`;
  await turns.announce({
    chatId,
    text: isNothing
      ? 'The server stopped before the approved changes of a command were applied; none were.'
      : `The server stopped while applying the approved changes of a command. Completed: ${changes}.${kept}`,
    origin: { plugin: 'effect-preview', reason: 'restart' },
    isForModel: true,
    clientId: `applied-${callId}`,
  });
}

/** Returns whether the call has a result of its own, as opposed to the one that recovery adds to an interrupted call. */
async function hasResult(chatId: string, callId: string, eventLog: Services['eventLog']): Promise<boolean> {
  let isOwn = false;
  for await (const event of eventLog.read(chatId))
    handle(event as ChatEvent, { tool_result: ({ callId: of, output }) => void (isOwn ||= of === callId && output?.startsWith(interruptedOutput) !== true) });
  return isOwn;
}
