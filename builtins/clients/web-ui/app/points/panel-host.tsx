// Renders one panel of a plugin in the page. An error is shown and affects nothing else.
import type { Entry } from 'agent-harness/client';
import { use, useEffect, useRef, useState, type ReactNode } from 'react';
import { ChatContext, useClient } from '../kit/hooks.ts';
import { loadModule } from './load-module.ts';
import { mountPanel, type PanelModule } from './mount-panel.ts';
import { PanelBoundary } from './panel-boundary.tsx';
import { PanelFault } from './panel-fault.tsx';
import { panelStoreOf, type Panel } from './panel-store.ts';
import { t } from '../kit/t.ts';
import './panel-host.css';

interface PanelHostProps {
  readonly panel: Panel;
  /** The chat that a page is about; default: the open chat. */
  readonly aboutChat?: string | undefined;
  /** Entry whose tool result or line the panel renders. */
  readonly entry?: Entry;
  /** Shown until the panel is ready, and on an error. */
  readonly fallback?: ReactNode;
}

export function PanelHost({ panel, aboutChat, entry, fallback }: PanelHostProps) {
  const client = useClient();
  const shown = use(ChatContext)?.chatId;
  const chatId = aboutChat ?? shown;
  const [attempt, setAttempt] = useState(0);
  const tryAgain = async (): Promise<void> => {
    await panelStoreOf(client).refresh();
    setAttempt((count) => count + 1);
  };
  const faultOf = (fault: unknown) => (
    <>
      <PanelFault panel={panel} fault={fault} onTryAgain={() => void tryAgain()} />
      {fallback}
    </>
  );
  // A new key remounts the panel, so that no state of a failed attempt, another version or another chat remains.
  const key = `${panel.url} ${chatId} ${attempt}`;
  return (
    <PanelBoundary key={key} renderFault={faultOf}>
      <MountedPanel panel={panel} chatId={chatId} attempt={attempt} renderFault={faultOf} {...(entry ? { entry } : {})} fallback={fallback} />
    </PanelBoundary>
  );
}

interface MountedPanelProps extends Omit<PanelHostProps, 'aboutChat'> {
  readonly chatId: string | undefined;
  readonly attempt: number;
  readonly renderFault: (fault: unknown) => ReactNode;
}

type Status = { readonly kind: 'loading' | 'ready' } | { readonly kind: 'broken'; readonly fault: unknown };

function MountedPanel({ panel, entry, chatId, attempt, fallback, renderFault }: MountedPanelProps) {
  const client = useClient();
  const box = useRef<HTMLDivElement>(null);
  const [status, setStatus] = useState<Status>({ kind: 'loading' });
  const isBroken = status.kind === 'broken';

  useEffect(() => {
    if (!box.current || isBroken) return;
    return mountPanel({
      element: box.current,
      client,
      chatId,
      entry,
      // Browsers cache failed imports, so a retry needs another address.
      load: () => loadModule(attempt === 0 ? panel.url : `${panel.url}&try=${attempt}`) as Promise<Partial<PanelModule>>,
      onReady: () => setStatus({ kind: 'ready' }),
      onFault: (fault) => setStatus({ kind: 'broken', fault }),
    });
  }, [attempt, chatId, client, entry, isBroken, panel.url]);

  if (isBroken) return renderFault(status.fault);
  return (
    <>
      <div className="panel-host" ref={box} data-panel-id={panel.id} />
      {status.kind === 'loading' && (fallback ?? <p className="panel-host-loading muted">{t('Loading {title}…', { title: t(panel.title) })}</p>)}
    </>
  );
}
