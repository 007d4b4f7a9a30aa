// Renders the model's steps above the message field while it works on them.
import type { ChatState, OpenChat } from 'agent-harness/client';
import { ChevronDown, ChevronUp } from 'lucide-react';
import { Suspense, useId, useState } from 'react';
import { lazyPart } from '#page/kit/lazy-part.ts';
import { useSelected } from '#page/kit/use-selected.ts';
import { phone, useMedia } from '#page/kit/use-media.ts';
import { isPlanShown, listOfPlan, planSummary } from './plan-model.ts';
import './plan-list.css';
import { usePlan } from './use-plan.ts';
import { t } from '#page/kit/t.ts';

export function PlanList({ chat }: { readonly chat?: OpenChat | undefined }) {
  return (
    chat && (
      <Suspense key={chat.chatId}>
        <ShownPlan chat={chat} />
      </Suspense>
    )
  );
}

/** Component that is loaded only for chats with a plan. */
const ListBlock = lazyPart(async () => (await import('#page/kit/view/list-block.tsx')).ListBlock);

const turnIdOf = (state: ChatState): string | undefined => state.running?.turnId;

function ShownPlan({ chat }: { readonly chat: OpenChat }) {
  const listId = useId();
  const plan = usePlan(chat.chatId);
  const runningTurnId = useSelected(chat.state, turnIdOf);
  const isPhone = useMedia(phone);
  const [choice, setChoice] = useState<boolean>();
  if (!isPlanShown(plan, runningTurnId)) return null;
  // Collapsed by default on a phone, and after the turn.
  const isOpen = choice ?? (runningTurnId !== undefined && !isPhone);
  const Chevron = isOpen ? ChevronDown : ChevronUp;
  return (
    <section className="plan" aria-label={t('Plan')}>
      <button type="button" className="button bare plan-toggle" aria-expanded={isOpen} aria-controls={listId} onClick={() => setChoice(!isOpen)}>
        <Chevron size={16} aria-hidden />
        <span className="plan-title">{t('Plan')}</span>
        <span className="plan-summary">{planSummary(plan.items)}</span>
      </button>
      <div id={listId} className="plan-items" hidden={!isOpen} role="group" tabIndex={isOpen ? 0 : undefined} aria-label={t('Steps of the plan')}>
        <ListBlock block={listOfPlan(plan.items)} />
      </div>
    </section>
  );
}
