// `top`: what each plugin from outside takes and does wrong, live or over days.
import { setTimeout as delay } from 'node:timers/promises';
import { makeSafe } from 'agent-harness/lib/terminal';
import { oneLine } from 'agent-harness/lib/text';
import { recordIn } from 'agent-harness/lib/values';
import type { PluginUsage, PluginUsageRow } from 'agent-harness/plugins/settings';
import { exitCodes, refuseUse, type CliParts, type RunCommand } from '../cli-parts.ts';
import { findServer } from '../find-server.ts';
import { alignColumns } from '../table.ts';

type Reply = Awaited<ReturnType<PluginUsage['read']>>;

const everyMs = 2_000;
const longestDays = 30;
/** Cursor to the first place; to the end of a line and of the screen, nothing is left of what stood there. */
const screen = { home: '\u001b[H', clearLine: '\u001b[K', clearRest: '\u001b[J', clear: '\u001b[2J' };

export const top: RunCommand = async (parts, { positionals, options, signal }, output) => {
  const days = readDays(options['days']);
  if (positionals.length > 0) return refuseUse(output, "'top' takes options only: --once, --days, --json.");
  if (days === 'invalid') return refuseUse(output, `--days needs a number from 1 to ${longestDays}, not '${String(options['days'])}'.`);
  const running = await findServer(parts);
  const path = `/api/plugins/usage${days > 0 ? `?days=${days}` : ''}`;
  const read = (): Promise<Reply | undefined> => (running ? running.client.call<Reply>('GET', path) : askHere(parts, path));
  const first = await read();
  if (!first) {
    output.err('This program does not count what plugins take.\n');
    return exitCodes.failed;
  }
  if (options['json'] === true) {
    output.out(`${JSON.stringify(first, undefined, 2)}\n`);
    return exitCodes.done;
  }
  if (!running && days === 0) output.err('No server runs, so this is what this command itself took; --days 7 shows what was kept.\n');
  const isLive = running !== undefined && output.isTerminal && options['once'] !== true && days === 0;
  if (!isLive) {
    output.out(tableOf(first, undefined));
    return exitCodes.done;
  }
  output.out(screen.clear);
  let before: Reply | undefined;
  for (let now: Reply | undefined = first; now; now = await read()) {
    const lines = [headOf(now), '', ...tableOf(now, before).trimEnd().split('\n')];
    output.out(`${screen.home}${lines.map((line) => `${line}${screen.clearLine}\n`).join('')}${screen.clearRest}`);
    before = now;
    await delay(everyMs, undefined, { signal }).catch(() => undefined); // aborted: looked at in the next line
    if (signal.aborted) break;
  }
  return exitCodes.done;
};

function headOf({ since, plugins }: Reply): string {
  return `Plugins that did not come with the product: ${plugins.length}. Since ${since.slice(0, 16).replace('T', ' ')}. Ctrl-C ends this.`;
}

/** @param before what was read last, for the share of a processor since then */
function tableOf(now: Reply, before: Reply | undefined): string {
  const { plugins } = now;
  if (plugins.length === 0) return 'No plugin but those of the product, and none of these did anything wrong.\n';
  const rows = [...plugins].sort((left, right) => right.activeMs - left.activeMs || (left.name < right.name ? -1 : 1));
  const share = (row: PluginUsageRow): string[] => (before ? [shareOf(row, now, before)] : []);
  return alignColumns([
    ['NAME', 'RUNS IN', 'CALLS', ...(before ? ['CPU'] : []), 'TIME', 'MEMORY', 'FAULTS', 'LAST FAULT'],
    ...rows.map((row) => [
      row.name,
      row.state === 'active' ? (row.isolation ?? 'server') : row.state,
      String(row.calls.total),
      ...share(row),
      timeOf(row.activeMs),
      memoryOf(row),
      faultsOf(row),
      row.lastFault ? `${row.lastFault.at.slice(0, 16).replace('T', ' ')} ${oneLine(makeSafe(row.lastFault.message), 120)}` : '',
    ]),
  ]);
}

function shareOf({ name, activeMs }: PluginUsageRow, now: Reply, before: Reply): string {
  const passed = Date.parse(now.at) - Date.parse(before.at);
  const last = before.plugins.find((row) => row.name === name)?.activeMs ?? activeMs;
  return passed > 0 ? `${Math.round((Math.max(0, activeMs - last) / passed) * 100)} %` : '';
}

const timeOf = (ms: number): string => (ms < 1_000 ? `${Math.round(ms)} ms` : ms < 120_000 ? `${(ms / 1_000).toFixed(1)} s` : `${Math.round(ms / 60_000)} min`);

/** What runs in the server's own process cannot be told apart. */
function memoryOf({ memoryBytes, peakBytes, isolation }: PluginUsageRow): string {
  const bytes = memoryBytes ?? peakBytes;
  if (bytes === undefined) return isolation === undefined ? 'shared' : '-';
  return `${(bytes / 1_048_576).toFixed(1)} MB`;
}

function faultsOf({ faults, restarts }: PluginUsageRow): string {
  const kinds = [
    [faults.crashes, 'crash'],
    [faults.stalls, 'stall'],
    [faults.slow, 'slow'],
    [faults.loads, 'load'],
    [restarts, 'restart'],
  ] as const;
  const named = kinds.flatMap(([count, kind]) => (count > 0 ? [`${count} ${kind}`] : []));
  return named.length > 0 ? `${faults.total} (${named.join(', ')})` : String(faults.total);
}

function readDays(text: string | boolean | undefined): number | 'invalid' {
  if (typeof text !== 'string') return 0;
  const days = /^\d{1,2}$/.test(text) ? Number(text) : NaN;
  return days >= 1 && days <= longestDays ? days : 'invalid';
}

async function askHere({ services: { http } }: CliParts, path: string): Promise<Reply | undefined> {
  if (!http.has('GET /api/plugins/usage')) return undefined;
  const { status, body } = await http.dispatch({ method: 'GET', path }, { principal: { kind: 'owner', id: 'cli', role: 'owner' } });
  return status === 200 ? (recordIn(body.toString('utf8')) as unknown as Reply) : undefined;
}
