// Renders the last line of a busy chat: what the chat is waiting for, and for how long.
import { use } from 'react';
import { retryText, type RunningTurn, waitingText } from 'agent-harness/client';
import { useClock } from '../../kit/use-clock.ts';
import { ChatContext, useClient } from '../../kit/hooks.ts';
import { hostOnly } from '../../kit/host-only.tsx';
import { useAct } from '../../kit/page/use-act.ts';
import { t } from '../../kit/t.ts';
import { usePermission } from '../../points/use-permission.ts';
import { RunningTime, useIsDown } from './tools/tool-state.tsx';

export function WorkingLine({ running }: { readonly running: RunningTurn }) {
  const isDown = useIsDown();
  const isYours = running.waitingFor === 'approval' || running.waitingFor === 'answer';
  return (
    <p className={isYours ? 'working-line working-line-yours' : 'working-line'}>
      <span className="working-line-dot" aria-hidden />
      <span>
        {isDown ? (
          t('No connection to the server')
        ) : running.waitingFor === 'retry' && running.retry ? (
          <Retry retry={running.retry} />
        ) : (
          waitingText(running.waitingFor)
        )}
      </span>
      {!isDown && running.waitingFor === 'retry' && running.retry && <TryNow key={running.retry.until} />}
      <RunningTime key={running.since} since={running.since} />
    </p>
  );
}

function Retry({ retry }: { readonly retry: NonNullable<RunningTurn['retry']> }) {
  return retryText(retry, useClock(1_000).getTime());
}

function TryNow() {
  const client = useClient();
  const chat = use(ChatContext);
  const mayWrite = usePermission('chats.write');
  const { isBusy, run } = useAct();
  if (!chat || !mayWrite) return null;
  return (
    <button
      {...hostOnly}
      type="button"
      className="button"
      disabled={isBusy}
      onClick={() => void run(() => client.call('POST /api/session/retry', { body: { chatId: chat.chatId } }))}
    >
      {t('Try now')}
    </button>
  );
}
