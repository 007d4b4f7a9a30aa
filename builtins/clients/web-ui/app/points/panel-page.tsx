// Renders a panel as a separate page: `#/panel/<id>`, or `#/panel/<id>/<chatId>` for a panel about a chat.
import { useRoute } from '../kit/hooks.ts';
import { PanelHost } from './panel-host.tsx';
import { usePanelsState } from './use-panels.ts';
import { t } from '../kit/t.ts';

export function PanelPage() {
  const { id = '', part } = useRoute();
  const { rows: panels, isLoaded } = usePanelsState();
  const panel = panels.find((one) => one.slot === 'panel' && one.id === id);
  return (
    <section className="panel-page" aria-labelledby="panel-page-title">
      <h1 id="panel-page-title" className="panel-page-title">
        {panel?.title ?? t('Panel')}
      </h1>
      {panel && <PanelHost panel={panel} aboutChat={part} />}
      {!panel && <p className="muted">{isLoaded ? t('Panel “{id}” does not exist. Its plugin may be disabled.', { id }) : t('Loading…')}</p>}
    </section>
  );
}
