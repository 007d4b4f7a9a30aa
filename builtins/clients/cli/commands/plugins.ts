// `plugins`: their state, and why one is not active; a running server reads the folder again.
import type { PluginReport } from 'agent-harness/kernel';
import { oneLine } from 'agent-harness/lib/text';
import { exitCodes, refuseUse, type RunCommand } from '../cli-parts.ts';
import { findServer } from '../find-server.ts';
import { alignColumns } from '../table.ts';

interface Reply {
  readonly plugins: readonly Row[];
  readonly pending?: boolean;
}

type Row = Pick<PluginReport, 'name' | 'origin' | 'state' | 'reason'> & Partial<Pick<PluginReport, 'warnings'>>;

export const plugins: RunCommand = async (parts, { positionals, options }, output) => {
  const [action = 'list', ...more] = positionals;
  if (more.length > 0 || (action !== 'list' && action !== 'reload')) return refuseUse(output, "'plugins' knows list and reload.");
  const running = await findServer(parts);
  if (action === 'reload' && !running) output.err('No server runs, so the next start reads the folder anyway.\n');
  const { plugins: rows, pending }: Reply = running ? await ask(running.client, action) : parts.services.kernel.report();
  if (pending === true) output.err('A turn runs; the folder is read again once none does.\n');
  if (options['json'] === true) output.out(`${JSON.stringify(rows, undefined, 2)}\n`);
  else output.out(alignColumns([['NAME', 'ORIGIN', 'STATE', 'REASON'], ...rows.map((one) => [one.name, one.origin, one.state, oneLine(noteOf(one), 300)])]));
  return exitCodes.done;
};

function ask(client: { call<T>(method: string, path: string, body?: unknown): Promise<T> }, action: 'list' | 'reload'): Promise<Reply> {
  return action === 'list' ? client.call<Reply>('GET', '/api/plugins') : client.call<Reply>('POST', '/api/plugins/reload', { whenBusy: 'queue' });
}

function noteOf({ reason, warnings = [] }: Row): string {
  return [...(reason === undefined ? [] : [reason]), ...warnings].join(' ');
}
