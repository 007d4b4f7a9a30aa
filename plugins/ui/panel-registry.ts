// Registers UI panels, each with a key that only callers who may read the list receive.
import { randomBytes, timingSafeEqual } from 'node:crypto';
import type { PointHandler } from 'agent-harness/kernel';
import { checkPanel } from './check-panel.ts';
import type { UiPanel } from './contract.ts';

export interface OwnedPanel {
  readonly panel: UiPanel;
  readonly plugin: string;
  /** Key in hex; regenerated each time the plugin is loaded. */
  readonly key: string;
}

export interface PanelRegistry {
  readonly handler: PointHandler<UiPanel>;
  /** Returns the panels in order of registration. */
  all(): readonly OwnedPanel[];
  /** Returns a panel by the name of its module: `<id>-<key>.js`. Compares the key in constant time. */
  find(moduleName: string): OwnedPanel | undefined;
}

const keyBytes = 16;
const namePattern = new RegExp(`^(.+)-([0-9a-f]{${keyBytes * 2}})\\.js$`);

export function createPanelRegistry(): PanelRegistry {
  const panels = new Map<string, OwnedPanel>();
  return {
    handler: {
      validate(panel, owner) {
        const why = checkPanel(panel);
        const first = why === undefined ? panels.get(panel.id) : undefined;
        return first ? `the panel '${panel.id}' is contributed by both '${first.plugin}' and '${owner}'; rename one of them.` : why;
      },
      added: (panel, plugin) => void panels.set(panel.id, { panel, plugin, key: randomBytes(keyBytes).toString('hex') }),
      removed(panel) {
        if (panels.get(panel.id)?.panel === panel) panels.delete(panel.id);
      },
    },
    all: () => [...panels.values()],
    find(moduleName) {
      const [, id = '', key = ''] = namePattern.exec(moduleName) ?? [];
      const found = panels.get(id);
      return found && timingSafeEqual(Buffer.from(key), Buffer.from(found.key)) ? found : undefined;
    },
  };
}
