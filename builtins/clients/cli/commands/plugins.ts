// Implements `plugins`: lists plugin states with reasons, and makes a running server reload the plugin folder.
import type { PluginReport } from 'agent-harness/kernel';
import { oneLine } from '#lib/text';
import { recordIn } from '#lib/values';
import { exitCodes, refuseUse, type CliParts, type RunCommand } from '../cli-parts.ts';
import { findServer } from '../find-server.ts';
import type { Client } from '../http-client.ts';
import { alignColumns } from '../table.ts';

interface Reply {
  readonly plugins: readonly Row[];
  readonly pending?: boolean;
}

type Row = Pick<PluginReport, 'name' | 'reason'> &
  Partial<Pick<PluginReport, 'warnings' | 'isolation'>> & {
    readonly origin: PluginReport['origin'] | 'bundle';
    readonly state: string;
    /** Reason why the plugin runs in the server's process. */
  };

export const plugins: RunCommand = async (parts, input, output) => {
  const { positionals, options } = input;
  const [action = 'list', ...more] = positionals;
  if (action === 'allow' || action === 'isolate') return (await import('./plugin-trust.ts')).pluginTrust(parts, input, output);
  if (action === 'dev') return (await import('./dev.ts')).pluginDev(parts, input, output);
  if (action !== 'list' && action !== 'reload') return (await import('./plugin-life.ts')).pluginLife(parts, input, output);
  if (more.length > 0) return refuseUse(output, `'plugins ${action}' takes no arguments.`);
  const running = await findServer(parts);
  if (action === 'reload' && !running) output.err('No server is running; the next start reads the folder.\n');
  const { plugins: found, pending }: Reply = running
    ? await ask(running.client, action)
    : (((await askHere(parts.services.http, '/api/plugins')) as Reply | undefined) ?? parts.services.kernel.report());
  const rows: readonly Row[] = [...found, ...(await bundleRows(parts, running?.client))];
  if (pending === true) output.err('The folder is read again when no turn runs.\n');
  if (options['json'] === true) output.out(`${JSON.stringify(rows, undefined, 2)}\n`);
  else
    output.out(
      alignColumns([
        ['NAME', 'ORIGIN', 'STATE', 'REASON'],
        ...rows.map((one) => [one.name, one.isolation === undefined ? one.origin : `${one.origin} (${one.isolation})`, one.state, oneLine(noteOf(one), 300)]),
      ]),
    );
  return exitCodes.done;
};

function ask(client: { call<T>(method: string, path: string, body?: unknown): Promise<T> }, action: 'list' | 'reload'): Promise<Reply> {
  return action === 'list' ? client.call<Reply>('GET', '/api/plugins') : client.call<Reply>('POST', '/api/plugins/reload', { whenBusy: 'queue' });
}

/** Lists other agents' bundles among the plugins; empty if no plugin supports bundles or the server is too old. */
async function bundleRows({ services: { http } }: CliParts, client: Pick<Client, 'call'> | undefined): Promise<Row[]> {
  const reply = client ? await client.call<unknown>('GET', bundlesPath).catch(() => undefined) : await askHere(http, bundlesPath);
  const { bundles } = (reply ?? {}) as { readonly bundles?: readonly Omit<Row, 'origin'>[] };
  return (bundles ?? []).map(({ name, state, reason }) => ({ name, origin: 'bundle', state, ...(reason === undefined ? {} : { reason }) }));
}

const bundlesPath = '/api/bundles';

async function askHere(http: CliParts['services']['http'], path: `/${string}`): Promise<unknown> {
  if (!http.has(`GET ${path}`)) return undefined;
  const { status, body } = await http.dispatch({ method: 'GET', path }, { principal: { kind: 'owner', id: 'cli', role: 'owner' } });
  return status === 200 ? recordIn(body.toString('utf8')) : undefined;
}

function noteOf({ reason, warnings = [] }: Row): string {
  return [...(reason === undefined ? [] : [reason]), ...warnings].join(' ');
}
