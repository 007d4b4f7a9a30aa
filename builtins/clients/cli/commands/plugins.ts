// `plugins`: their state, and why one is not active.
import type { PluginReport } from 'agent-harness/kernel';
import { exitCodes, type RunCommand } from '../cli-parts.ts';
import { findServer } from '../find-server.ts';
import { oneLine } from '../safe-text.ts';
import { alignColumns } from '../table.ts';

export const plugins: RunCommand = async (parts, { options }, output) => {
  const running = await findServer(parts);
  const rows = running ? (await running.client.call<{ plugins: PluginReport[] }>('GET', '/api/plugins')).plugins : parts.services.kernel.report().plugins;
  if (options['json'] === true) output.out(`${JSON.stringify(rows, undefined, 2)}\n`);
  else
    output.out(alignColumns([['NAME', 'ORIGIN', 'STATE', 'REASON'], ...rows.map((one) => [one.name, one.origin, one.state, oneLine(one.reason ?? '', 300)])]));
  return exitCodes.done;
};
