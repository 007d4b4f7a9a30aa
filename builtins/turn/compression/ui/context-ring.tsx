// Renders the context usage of a nearly full chat as a ring; a click opens the details.
import type { OpenChat } from 'agent-harness/client';
import { Suspense, useRef, useState } from 'react';
import { useClient, useStore } from '#page/kit/hooks.ts';
import { hostOnly } from '#page/kit/host-only.tsx';
import { lazyPart } from '#page/kit/lazy-part.ts';
import { useEvents } from '#page/kit/page/use-events.ts';
import { useLoaded } from '#page/kit/page/use-loaded.ts';
import { changesContext, levelOf, percentOf, ringFrom, shownContextOf } from './context-figures.ts';
import { t } from '#page/kit/t.ts';
import './context-ring.css';

const ContextDetails = lazyPart(async () => (await import('./context-details.tsx')).ContextDetails);
const settleMs = 300;

export function ContextRing({ chat }: { readonly chat?: OpenChat | undefined }) {
  return chat && <Ring key={chat.chatId} chatId={chat.chatId} />;
}

function Ring({ chatId }: { readonly chatId: string }) {
  const client = useClient();
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  const asked = useStore(shownContextOf(client));
  const [seen, setSeen] = useState(asked);
  /** Whether the user opened the details from the menu; the ring then stays, because the focus returns to it. */
  const [wasAsked, setAsked] = useState(false);
  if (asked !== seen) {
    setSeen(asked);
    if (asked.chatId === chatId) {
      setAsked(true);
      setOpen(true);
    }
  }
  const { value, problem, reload } = useLoaded(chatId, (signal) => client.call('GET /api/context', { query: { chatId }, signal }));
  useEvents((event) => changesContext(event, chatId), settleMs, reload);
  if (!value) return null;
  const percent = percentOf(value);
  if (percent < ringFrom && !wasAsked) return null;
  return (
    <>
      <button
        ref={button}
        type="button"
        {...hostOnly}
        className="button bare icon composer-tool context-ring"
        aria-label={t('Context: {percent} percent full', { percent })}
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        title={t('Context: {percent} % full', { percent })}
        data-level={levelOf(percent)}
        onClick={() => setOpen(!isOpen)}
      >
        <svg width={18} height={18} viewBox="0 0 36 36" aria-hidden>
          <circle cx={18} cy={18} r={15} />
          <circle cx={18} cy={18} r={15} pathLength={100} strokeDasharray={`${percent} 100`} transform="rotate(-90 18 18)" />
        </svg>
      </button>
      {isOpen && (
        <Suspense>
          <ContextDetails chatId={chatId} figures={value} problem={problem} anchor={button} onChanged={reload} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
