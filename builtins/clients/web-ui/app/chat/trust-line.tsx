// Shows that the chat's folder contains content that is not trusted yet.
import { ShieldAlert, X } from 'lucide-react';
import { useState } from 'react';
import { hashOf } from '../kit/hooks.ts';
import { hostOnly } from '../kit/host-only.tsx';
import { trustTexts, keepRead, readDigests, unreadOf } from './trust-texts.ts';
import { useUntrusted } from './use-untrusted.ts';
import { t } from '../kit/t.ts';
import '../kit/composer-note.css';

export function TrustLine({ chatId }: { readonly chatId: string }) {
  const [read, setRead] = useState(readDigests);
  const { subjects = [] } = useUntrusted(chatId);
  const waiting = unreadOf(subjects, read);
  if (waiting.length === 0) return null;
  return (
    <div className="composer-note" role="note" {...hostOnly}>
      <ShieldAlert size={16} aria-hidden />
      <p>
        {trustTexts(waiting)} <a href={hashOf({ page: 'connections' })}>{t('Review')}</a>
      </p>
      <button type="button" className="button bare icon" aria-label={t('Dismiss this notice')} onClick={() => setRead(keepRead(waiting))}>
        <X size={16} aria-hidden />
      </button>
    </div>
  );
}
