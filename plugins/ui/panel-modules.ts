// Reads the current version and the text of the module files of panels.
import { readFile, stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { PanelRow } from './contract.ts';
import type { OwnedPanel } from './panel-registry.ts';

/** Returns a panel for the list, even if its module is missing: the page then displays the error. */
export async function describePanel({ panel, plugin, key }: OwnedPanel): Promise<PanelRow> {
  const { module, ...rest } = panel;
  const changedAt = await stat(pathOf(module)).then(
    ({ mtimeMs }) => Math.round(mtimeMs).toString(36),
    () => '0',
  );
  return { ...rest, plugin, url: `/api/ui/modules/${panel.id}-${key}.js?v=${changedAt}` };
}

export function readModule({ panel }: OwnedPanel): Promise<string> {
  return readFile(pathOf(panel.module), 'utf8');
}

function pathOf(module: string): string {
  return module.startsWith('file:') ? fileURLToPath(module) : module;
}
