// Contributes the panel that shows the agent's browser page to users.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { UiPanel } from 'agent-harness/plugins/ui';

const script = 'builtins/tools/browser/panel/panel.js';

/** Returns the panel; `undefined` if the package does not contain the panel's script. */
export function findPanel(from: string): UiPanel | undefined {
  const module = findScript(from);
  return module === undefined
    ? undefined
    : {
        id: 'browser',
        title: 'Browser',
        slot: 'panel',
        icon: '◫',
        module,
        uses: {
          routes: ['GET /api/chats/:id/browser', 'GET /api/chats/:id/browser/:tabId/picture'],
          events: ['tool_start', 'tool_result', 'turn_start', 'turn_end', 'chat_switched'],
        },
      };
}

/** Returns the path of the script, which is shipped as source and not built; works from source code and from built code. */
function findScript(from: string): string | undefined {
  for (let folder = from; folder !== dirname(folder); folder = dirname(folder)) {
    if (!existsSync(join(folder, 'package.json'))) continue;
    const path = join(folder, script);
    return existsSync(path) ? path : undefined;
  }
  return undefined;
}
