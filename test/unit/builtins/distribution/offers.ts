// Reads everything that a server offers to clients, keyed by the contribution label.
import type { Harness } from '../../../helpers/harness.ts';
import { runCommandLine } from '../../../helpers/command-line.ts';

/** Label → description that a client reads. */
export type Offers = ReadonlyMap<string, unknown>;

/** Contribution kinds that are visible to clients and read by {@link readOffers}. */
export const seenKinds: ReadonlySet<string> = new Set(['route', 'view', 'slash_command', 'cli_command', 'ui.panel', 'tool', 'tool_family']);
/** Internal kinds, visible in the kernel trace only. */
export const innerKinds: ReadonlySet<string> = new Set([
  ...['service', 'event', 'hook', 'point', 'tap'],
  ...['wire_event', 'approval_rule', 'undoable', 'entry_mark'],
]);

export const kindOf = (label: string): string => label.slice(0, label.indexOf(':'));

export async function readOffers(harness: Harness): Promise<Offers> {
  const read = async (path: string): Promise<any> => {
    const { status, body } = await harness.call('GET', path);
    if (status !== 200) throw new Error(`${path} answered ${status}: ${JSON.stringify(body)}`);
    return body;
  };
  const { paths } = await read('/api/openapi.json');
  const routes = Object.entries<object>(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => [
      `route:${method.toUpperCase()} ${path.replace('{path}', '*').replace(/\{(\w+)\}/g, ':$1')}`,
      described,
    ]),
  );
  const [{ views }, { commands }, { panels }, { fields }, { tools }] = await Promise.all(
    ['/api/views', '/api/commands', '/api/ui/panels', '/api/settings', '/api/tools'].map(read),
  );
  const named = (kind: string, rows: readonly any[], key: string): [string, unknown][] => rows.map(({ url: _, ...row }) => [`${kind}:${row[key]}`, row]);
  return new Map<string, unknown>([
    ...(routes as [string, unknown][]),
    ...named('view', views, 'name'),
    ...named('slash_command', commands, 'name'),
    ...named('ui.panel', panels, 'id'),
    ...named('setting', fields, 'key'),
    ...named('tool', tools, 'name'),
    ...(await readHelp(harness)),
    ...now('GET /api/status', await read('/api/status')),
    ...now('GET /api/config', await read('/api/config')),
  ]);
}

/** The current values in a reply, by field. */
function now(route: string, reply: object): [string, unknown][] {
  return Object.entries(reply).map(([field, value]) => [`now:${route} ${field}`, value]);
}

/** Labels of the contributions that the text mentions. */
export function mentionsOf(labels: readonly string[], text: string): string[] {
  return labels.filter((label) => {
    const name = label.slice(label.indexOf(':') + 1).replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
    const mention = mentions[kindOf(label)]?.(name);
    return mention !== undefined && new RegExp(`(?<![\\w/.])${mention}(?![\\w/-])`).test(text);
  });
}

const mentions: Readonly<Record<string, (name: string) => string>> = {
  slash_command: (name) => `/${name}`,
  cli_command: (name) => `app ${name}`,
  route: (name) => name.replace(/^\w+ /, ''),
  view: (name) => `(?:/api/views/|app view )${name}`,
  tool: (name) => name,
};

/** The help text of each command. */
async function readHelp({ kernel }: Harness): Promise<[string, unknown][]> {
  const said = async (...argv: string[]): Promise<string> => {
    const { stdout, stderr } = await runCommandLine(kernel, argv);
    return stdout + stderr;
  };
  const listed = [...(await said('--help')).matchAll(/^ {2}([a-z]+)(?= |$)/gm)].map(([, name = '']) => name);
  return Promise.all(listed.map(async (name): Promise<[string, unknown]> => [`cli_command:${name}`, await said('help', name)]));
}
