// Renders the browser panel beside the chat.
import { PanelHost } from '#page/points/panel-host.tsx';
import { usePanels } from '#page/points/use-panels.ts';
import { t } from '#page/kit/t.ts';

export function BrowserPane() {
  const panel = usePanels().find(({ id }) => id === 'browser');
  if (!panel) return <p className="page-empty">{t('The browser view is not available.')}</p>;
  return (
    <div className="panel-slot" data-slot="pane">
      <PanelHost panel={panel} />
    </div>
  );
}
