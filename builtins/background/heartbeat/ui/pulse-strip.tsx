// Renders the Pulse strip: one line of fixed height above the message field, whose content never moves the page.
import type { OpenChat } from 'agent-harness/client';
import { Activity, ChevronUp, Reply, X } from 'lucide-react';
import { Popover } from 'radix-ui';
import { useState } from 'react';
import { useClient } from '#page/kit/hooks.ts';
import { hostOnly } from '#page/kit/host-only.tsx';
import { useAct } from '#page/kit/page/use-act.ts';
import { useClock } from '#page/kit/use-clock.ts';
import { PulseDetails } from './pulse-details.tsx';
import { costText, nowText, quoted, type PulseRun } from './pulse-texts.ts';
import './pulse-strip.css';
import { usePulse } from './use-pulse.ts';
import { t } from '#page/kit/t.ts';

const clockMs = 30_000;

export function PulseStrip({ chat }: { readonly chat: OpenChat }) {
  const client = useClient();
  const { value: view, reload } = usePulse(chat.chatId);
  const now = useClock(clockMs);
  const act = useAct(reload);
  const [isOpen, setOpen] = useState(false);
  const run = view?.nudge?.run;
  const answer = (runId: string, said: 'used' | 'dismissed'): Promise<boolean> =>
    act.run(() => client.call('PUT /api/heartbeat/nudges/:runId', { params: { runId }, body: { answer: said } }));

  async function use({ runId, nudge }: PulseRun): Promise<void> {
    if (nudge && (await answer(runId, 'used'))) chat.putBack(quoted(nudge.text));
  }

  return (
    <section className="pulse" aria-label={t('Pulse')} data-state={view?.state}>
      <Popover.Root open={isOpen} onOpenChange={setOpen}>
        <Popover.Trigger className="button bare pulse-line" disabled={!view}>
          <Activity size={16} aria-hidden />
          <span className="visually-hidden">{run ? t('Pulse, a nudge:') : t('Pulse:')}</span>
          {view && <span className={run ? 'pulse-nudge' : 'pulse-state'}>{run?.nudge?.text ?? nowText(view, now)}</span>}
          {view && <span className="pulse-cost">{costText(view.today)}</span>}
          <ChevronUp size={16} aria-hidden />
        </Popover.Trigger>
        <Popover.Portal>
          <Popover.Content {...hostOnly} className="pulse-details" side="top" align="start" sideOffset={4} collisionPadding={8} aria-label={t('Pulse')}>
            {view && <PulseDetails chat={chat} view={view} now={now} act={act} onUse={(one) => use(one).then(() => setOpen(false))} onAnswer={answer} />}
          </Popover.Content>
        </Popover.Portal>
      </Popover.Root>
      {run && (
        <span className="pulse-buttons">
          <button
            type="button"
            className="button bare icon"
            aria-label={t('Reply to the nudge')}
            title={t('Reply')}
            disabled={act.isBusy}
            onClick={() => void use(run)}
          >
            <Reply size={16} aria-hidden />
          </button>
          <button
            type="button"
            className="button bare icon"
            aria-label={t('Dismiss the nudge')}
            title={t('Dismiss')}
            disabled={act.isBusy}
            onClick={() => void answer(run.runId, 'dismissed')}
          >
            <X size={16} aria-hidden />
          </button>
        </span>
      )}
    </section>
  );
}
