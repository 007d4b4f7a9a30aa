// Says which plugin's panel is broken, and how.
import { messageOf } from 'agent-harness/lib/errors';
import type { Panel } from './panel-store.ts';

const maxLength = 500;

interface PanelFaultProps {
  readonly panel: Panel;
  readonly fault: unknown;
  readonly onTryAgain: () => void;
}

export function PanelFault({ panel, fault, onTryAgain }: PanelFaultProps) {
  return (
    <div className="panel-fault" role="group" aria-label={`Fault in ${panel.title}`}>
      <p>
        <strong>{panel.title}</strong> of the plugin <code>{panel.plugin}</code> does not work.
      </p>
      <p className="panel-fault-reason small">{messageOf(fault).slice(0, maxLength)}</p>
      <button type="button" className="button" onClick={onTryAgain}>
        Try again
      </button>
    </div>
  );
}
