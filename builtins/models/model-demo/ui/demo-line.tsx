// Renders the line in an empty chat that names the demo model, and opens the dialog that connects another model.
import { useClient } from '#page/kit/hooks.ts';
import { useShell } from '#page/kit/shell-context.ts';
import { useSelected } from '#page/kit/use-selected.ts';
import { t } from '#page/kit/t.ts';
import './demo-line.css';

export function DemoLine() {
  const isDemo = useSelected(useClient().connection, ({ config }) => config?.demoModel === true);
  const { openDialog } = useShell();
  if (!isDemo) return null;
  return (
    <p className="demo-line muted" role="note">
      <span className="demo-line-text">{t('Demo model: scripted answers, real tools, no key needed.')}</span>
      <button type="button" className="button" onClick={() => openDialog('connect')}>
        {t('Connect a model')}
      </button>
    </p>
  );
}
