// Says that a demo model answers, and how to get a real one.
import { FlaskConical, X } from 'lucide-react';
import { useState } from 'react';
import { useClient, useStore } from '#page/kit/hooks.ts';
import { useShell } from '#page/kit/shell-context.ts';
import { t } from '#page/kit/t.ts';
import './demo-line.css';

const key = 'demo-line-read';

export function DemoLine() {
  const { config } = useStore(useClient().connection);
  const { openDialog } = useShell();
  const [isRead, setRead] = useState(() => localStorage.getItem(key) !== null);
  if (config?.demoModel !== true || isRead) return null;
  return (
    <div className="demo-line" role="note">
      <FlaskConical size={16} aria-hidden />
      <p>
        {t('A demo model answers: it follows fixed rules, the tools are real.')}
        <button type="button" className="quiet-button demo-line-connect" onClick={() => openDialog('connect')}>
          {t('Connect a model')}
        </button>
      </p>
      <button
        type="button"
        className="button bare icon"
        aria-label={t('Dismiss')}
        onClick={() => {
          localStorage.setItem(key, 'yes');
          setRead(true);
        }}
      >
        <X size={16} aria-hidden />
      </button>
    </div>
  );
}
