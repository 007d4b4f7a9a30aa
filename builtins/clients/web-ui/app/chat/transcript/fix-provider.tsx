// Renders actions for fixing an error of the model provider, below that error.
import { ExternalLink, PlugZap, RefreshCw } from 'lucide-react';
import { useShell } from '../../kit/shell-context.ts';
import { useProvider } from '../../points/use-provider.ts';
import { useKnownPermission } from '../../points/use-permission.ts';
import { RepeatButton } from './again/repeat-button.tsx';
import { t } from '../../kit/t.ts';

interface MendProviderProps {
  readonly code: string;
  /** The failed turn. */
  readonly turnId: string | undefined;
}

export function FixProvider({ code, turnId }: MendProviderProps) {
  const { openDialog } = useShell();
  const may = useKnownPermission();
  const value = useProvider();
  const provider = may ? value?.providers.find(({ id }) => id === value.provider) : undefined;
  const page = provider && pageFor(code, provider);
  return (
    <p className="error-line-actions">
      {turnId !== undefined && (
        <RepeatButton turnId={turnId} label={t('Try again')}>
          <RefreshCw size={14} aria-hidden />
        </RepeatButton>
      )}
      {page && (
        <a className="quiet-button" href={page.href} target="_blank" rel="noopener noreferrer">
          <ExternalLink size={14} aria-hidden />
          <span>{page.text}</span>
        </a>
      )}
      {may && (
        <button type="button" className="quiet-button" onClick={() => openDialog('connect')}>
          <PlugZap size={14} aria-hidden />
          <span>{t('Connect another model')}</span>
        </button>
      )}
    </p>
  );
}

function pageFor(
  code: string,
  { title, keysPage, creditPage }: { readonly title: string; readonly keysPage: string; readonly creditPage: string },
): { readonly href: string; readonly text: string } | undefined {
  if (code === 'provider_auth') return { href: keysPage, text: t('Keys at {title}', { title }) };
  return code === 'budget' || code === 'rate_limited' ? { href: creditPage, text: t('Credit at {title}', { title }) } : undefined;
}
