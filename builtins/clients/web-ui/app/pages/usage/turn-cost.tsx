// Shows the duration of a turn, and its cost on request.
import type { AssistantEntry } from 'agent-harness/client';
import { Timer } from 'lucide-react';
import { Suspense, use, useRef, useState } from 'react';
import { ChatContext } from '../../kit/hooks.ts';
import { lazyPart } from '../../kit/lazy-part.ts';
import { shortTime } from './turn-usage.ts';
import { t } from '../../kit/t.ts';

const TurnCostCard = lazyPart(async () => (await import('./turn-cost-card.tsx')).TurnCostCard);

/** Renders nothing except below the last reply of a finished turn. */
export function TurnCost({ entry: { turnId, turnMs } }: { readonly entry: AssistantEntry }) {
  const chatId = use(ChatContext)?.chatId;
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  if (chatId === undefined || turnId === undefined || turnMs === undefined) return null;
  return (
    <>
      <button
        ref={button}
        type="button"
        className="quiet-button"
        aria-label={t('This turn took {shortTime}: tokens and cost', { shortTime: shortTime(turnMs) })}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        title={t('Tokens and cost of this turn')}
        onClick={() => setOpen(!isOpen)}
      >
        <Timer size={14} aria-hidden />
        <span>{shortTime(turnMs)}</span>
      </button>
      {isOpen && (
        <Suspense>
          <TurnCostCard chatId={chatId} turnId={turnId} turnMs={turnMs} anchor={button} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
