// Renders the setup prompt above the composer once the chat has a message. Opens the setup automatically only if it is mandatory.
import type { OpenChat } from 'agent-harness/client';
import { VenetianMask, X } from 'lucide-react';
import { Suspense, useState } from 'react';
import { useClient, useStore } from '#page/kit/hooks.ts';
import { lazyPart } from '#page/kit/lazy-part.ts';
import { useAct } from '#page/kit/page/use-act.ts';
import { useSelected } from '#page/kit/use-selected.ts';
import { t } from '#page/kit/t.ts';
import { changedConfigOf } from './bootstrap-config.ts';
import '#page/kit/composer-note.css';

const FirstRun = lazyPart(async () => (await import('./first-run.tsx')).FirstRun);

export function FirstRunGate({ chat }: { readonly chat?: OpenChat | undefined }) {
  const client = useClient();
  const connected = useStore(client.connection).config;
  const config = useStore(changedConfigOf(client)) ?? connected;
  const isPending = config?.personaBootstrapPending === true;
  const canSkip = config?.personaBootstrapAllowSkip !== false;
  const mustAnswer = isPending && !canSkip;
  const [isOpen, setOpen] = useState(false);
  const [wasForced, setForced] = useState(false);
  if (mustAnswer !== wasForced) {
    setForced(mustAnswer);
    if (mustAnswer) setOpen(true);
  }
  return (
    <>
      {isPending && !isOpen && chat && <Offer chat={chat} canSkip={canSkip} onAsk={() => setOpen(true)} />}
      {isOpen && (
        <Suspense>
          <FirstRun isPending={isPending} canSkip={canSkip} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  );
}

interface OfferProps {
  readonly chat: OpenChat;
  readonly canSkip: boolean;
  readonly onAsk: () => void;
}

/** Renders one line. It is hidden in an empty chat, where the first message has priority. */
function Offer({ chat, canSkip, onAsk }: OfferProps) {
  const client = useClient();
  const hasMessages = useSelected(chat.state, ({ entries }) => entries.length > 0);
  const { isBusy, run } = useAct();
  if (!hasMessages) return null;
  return (
    <div className="composer-note" role="note" data-quiet>
      <VenetianMask size={16} aria-hidden />
      <p>
        {t('Choose how the agent talks and how this page looks.')}{' '}
        <button type="button" className="quiet-button" onClick={onAsk}>
          {t('Set up personality')}
        </button>
      </p>
      {canSkip && (
        <button
          type="button"
          className="button bare icon"
          aria-label={t('Skip personality')}
          disabled={isBusy}
          onClick={() => void run(() => client.call('POST /api/persona/bootstrap', { body: { skip: true } }))}
        >
          <X size={16} aria-hidden />
        </button>
      )}
    </div>
  );
}
