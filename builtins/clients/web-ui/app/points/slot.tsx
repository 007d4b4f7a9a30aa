// Where plugins add something to a part of the page.
import { PanelHost } from './panel-host.tsx';
import { usePanels } from './use-panels.ts';

interface SlotProps {
  readonly name: 'composer' | 'settings';
}

export function Slot({ name }: SlotProps) {
  const panels = usePanels().filter((panel) => panel.slot === name);
  if (panels.length === 0) return null;
  return (
    <div className="panel-slot" data-slot={name}>
      {panels.map((panel) => (
        <section key={panel.id} aria-label={panel.title}>
          {name === 'settings' && <h2>{panel.title}</h2>}
          <PanelHost panel={panel} />
        </section>
      ))}
    </div>
  );
}
