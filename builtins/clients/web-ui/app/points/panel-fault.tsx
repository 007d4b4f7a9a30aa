// Renders the error of a plugin's panel.
import { messageOf } from '#lib/errors';
import type { Panel } from './panel-store.ts';
import { t, tx } from '../kit/t.ts';

const maxLength = 500;

interface PanelFaultProps {
  readonly panel: Panel;
  readonly fault: unknown;
  readonly onTryAgain: () => void;
}

export function PanelFault({ panel, fault, onTryAgain }: PanelFaultProps) {
  return (
    <div className="panel-fault" role="group" aria-label={t('Fault in {title}', { title: t(panel.title) })}>
      <p>{tx('{title} of the plugin {plugin} does not work.', { title: <strong>{t(panel.title)}</strong>, plugin: <code>{panel.plugin}</code> })}</p>
      <p className="panel-fault-reason small">{messageOf(fault).slice(0, maxLength)}</p>
      <button type="button" className="button" onClick={onTryAgain}>
        {t('Try again')}
      </button>
    </div>
  );
}
