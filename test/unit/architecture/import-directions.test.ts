// Checks import directions between page modules, import cycles, and that every built-in is listed in a distribution.
import { readdirSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';
import { expect, test } from 'vitest';
import { controlPlaneBuiltins } from '../../../builtins/distribution/control-plane.ts';
import { stockBuiltins } from '../../../builtins/distribution/stock.ts';
import { importsOf, pluginFolderOf, readSources, root } from '../../helpers/sources.ts';

const page = 'builtins/clients/web-ui/app/';
const sources = readSources('kernel', 'plugins', 'builtins');
const paths = new Set(sources.map(({ path }) => path));

const libraries = new Map([
  ['agent-harness/kernel', 'kernel/index.ts'],
  ['agent-harness/client', 'builtins/clients/client/client.ts'],
]);

function targetOf(path: string, from: string): string | undefined {
  const library = /^#lib\/(.+)$/.exec(from);
  const contract = /^agent-harness\/((?:plugins|builtins)\/.+)$/.exec(from);
  if (from.startsWith('#page/')) return `${page}${from.slice('#page/'.length)}`;
  const to = from.startsWith('.')
    ? normalize(join(dirname(path), from))
    : (libraries.get(from) ?? (library ? `plugins/lib/${library[1]}.ts` : contract ? `${contract[1]}/contract.ts` : ''));
  return paths.has(to) ? to : undefined;
}

const imports = new Map(sources.map((source) => [source.path, importsOf(source).flatMap(({ from }) => targetOf(source.path, from) ?? [])]));

/** Modules of the page and what each may import besides itself. Files outside all modules compose them. */
const rooms: Readonly<Record<string, readonly string[]>> = {
  kit: [],
  points: ['kit'],
  attention: ['kit'],
  chats: ['kit', 'points'],
  'chat/scroll': ['kit'],
  'chat/transcript': ['kit', 'points', 'chat/scroll'],
  'chat/decisions': ['kit', 'points', 'attention'],
  'chat/composer': ['kit', 'points', 'chats'],
  chat: ['kit', 'points', 'attention', 'chats', 'chat/scroll', 'chat/transcript', 'chat/decisions', 'chat/composer'],
  frame: ['kit', 'points', 'attention', 'chats'],
  pages: ['kit', 'points', 'attention', 'chat/decisions'],
};
const roomOf = (path: string): string | undefined => Object.keys(rooms).findLast((room) => path.startsWith(`${page}${room}/`) && !isOfInner(path, room));
const isOfInner = (path: string, room: string): boolean =>
  Object.keys(rooms).some((inner) => inner.startsWith(`${room}/`) && path.startsWith(`${page}${inner}/`));

test('page modules import each other in one direction only', () => {
  const folders = readdirSync(join(root, page), { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));
  expect(folders.filter((name) => !(name in rooms) && name !== 'public' && name !== 'messages')).toEqual([]);
  const faults = [...imports].flatMap(([path, targets]) => {
    const room = path.startsWith(page) ? roomOf(path) : undefined;
    if (room === undefined) return [];
    return targets.filter((to) => to.startsWith(page) && roomOf(to) !== room && !rooms[room]?.includes(roomOf(to) ?? '')).map((to) => `${path} imports ${to}`);
  });
  expect(faults).toEqual([]);
});

/** Plugins whose modules still import each other in both directions. */
const unsorted = new Set(['builtins/connections/mcp']);

test('modules of a plugin import each other in one direction only', () => {
  const known = new Map<string, Set<string>>();
  for (const [path, targets] of imports) {
    const plugin = pluginFolderOf(path);
    if (plugin === undefined || path.startsWith(page) || unsorted.has(plugin)) continue;
    for (const to of targets) {
      const [from, at] = [dirname(path), dirname(to)];
      if (pluginFolderOf(to) !== plugin || from === at || [from, at].includes(plugin)) continue;
      known.set(from, (known.get(from) ?? new Set()).add(at));
    }
  }
  expect(circlesOf(new Map([...known].map(([room, others]) => [room, [...others]])))).toEqual([]);
});

test('built-in UI code lives in its plugin folder and imports only the kit, the points, the client and libraries', () => {
  const features = [...imports].filter(([path]) => /^builtins\/[^/]+\/[^/]+\/ui\//.test(path));
  const faults = features.flatMap(([path, targets]) =>
    targets
      .filter(
        (to) =>
          !to.startsWith(`${dirname(path)}/`) &&
          !['kit', 'points'].includes(roomOf(to) ?? '') &&
          !to.startsWith('builtins/clients/client/') &&
          !to.startsWith('plugins/lib/'),
      )
      .map((to) => `${path} imports ${to}`),
  );
  expect(faults).toEqual([]);
});

test('no import cycles exist, including type imports', () => {
  expect(circlesOf(imports)).toEqual([]);
});

test('each built-in is listed once in its distribution, and control plane built-ins only in their own', () => {
  const folders = sources.filter(({ path }) => path.startsWith('builtins/') && basename(path) === 'index.ts').map(({ path }) => dirname(path));
  const isOfPlane = (path: string): boolean => path.startsWith('builtins/control-plane/');
  const names = (paths: readonly string[]): string[] => paths.map((path) => basename(path)).sort();
  expect([...stockBuiltins].sort()).toEqual(names(folders.filter((path) => !isOfPlane(path))));
  expect([...controlPlaneBuiltins].sort()).toEqual(names(folders.filter(isOfPlane)));
  expect(controlPlaneBuiltins.filter((name) => !name.startsWith('plane-'))).toEqual([]);
});

/** Returns strongly connected components of the graph (Tarjan), one line each. */
function circlesOf(graph: ReadonlyMap<string, readonly string[]>): string[] {
  const index = new Map<string, number>();
  const low = new Map<string, number>();
  const stack: string[] = [];
  const circles: string[] = [];
  const visit = (path: string): void => {
    index.set(path, index.size);
    low.set(path, index.get(path) as number);
    stack.push(path);
    for (const to of graph.get(path) ?? []) {
      if (!index.has(to)) visit(to);
      if (stack.includes(to)) low.set(path, Math.min(low.get(path) as number, low.get(to) as number));
    }
    if (low.get(path) !== index.get(path)) return;
    const group = stack.splice(stack.indexOf(path));
    if (group.length > 1) circles.push(group.sort().join(' '));
  };
  for (const path of graph.keys()) if (!index.has(path)) visit(path);
  return circles.sort();
}
