// The steps that the model keeps, above the composer while it works on them.
import type { ChatState, OpenChat } from 'agent-harness/client';
import { ChevronDown, ChevronUp, Circle, CircleCheck, CircleDot } from 'lucide-react';
import { useId, useState } from 'react';
import { useSelected } from '#page/kit/use-selected.ts';
import { phone, useMedia } from '#page/kit/use-media.ts';
import { isPlanShown, planSummary, type PlanItem } from './plan-model.ts';
import './plan-list.css';
import { usePlan } from './use-plan.ts';
import { t } from '#page/kit/t.ts';

export function PlanList({ chat }: { readonly chat?: OpenChat | undefined }) {
  return chat && <ShownPlan key={chat.chatId} chat={chat} />;
}

const turnIdOf = (state: ChatState): string | undefined => state.running?.turnId;
const icons = { pending: Circle, active: CircleDot, done: CircleCheck };

function ShownPlan({ chat }: { readonly chat: OpenChat }) {
  const listId = useId();
  const plan = usePlan(chat.chatId);
  const runningTurnId = useSelected(chat.state, turnIdOf);
  const isPhone = useMedia(phone);
  const [choice, setChoice] = useState<boolean>();
  if (!isPlanShown(plan, runningTurnId)) return null;
  // Until somebody chooses: a phone has no room for it, and a turn that is over no news.
  const isOpen = choice ?? (runningTurnId !== undefined && !isPhone);
  const Chevron = isOpen ? ChevronDown : ChevronUp;
  return (
    <section className="plan" aria-label={t('Plan')}>
      <button type="button" className="button bare plan-toggle" aria-expanded={isOpen} aria-controls={listId} onClick={() => setChoice(!isOpen)}>
        <Chevron size={16} aria-hidden />
        <span className="plan-title">{t('Plan')}</span>
        <span className="plan-summary">{planSummary(plan.items)}</span>
      </button>
      <ol id={listId} className="plan-items" hidden={!isOpen} tabIndex={isOpen ? 0 : undefined} aria-label={t('Steps of the plan')}>
        {plan.items.map((item, index) => (
          <Step key={index} item={item} />
        ))}
      </ol>
    </section>
  );
}

function Step({ item: { text, status } }: { readonly item: PlanItem }) {
  const Icon = icons[status];
  return (
    <li className="plan-item" data-status={status} aria-current={status === 'active' ? 'step' : undefined}>
      <Icon size={14} aria-hidden />
      <span dir="auto">
        {text}
        <span className="visually-hidden"> ({status})</span>
      </span>
    </li>
  );
}
