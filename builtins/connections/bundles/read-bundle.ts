// Reads a bundle of the plugin folder, or the `.claude` of a workspace.
import { existsSync, realpathSync, statSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { collectFiles, collectedDigest, collectedStamp, collectedTexts, type CollectedFile } from '#lib/collect-files';
import { commandsIn } from '#lib/command-file';
import { isWithin, wayFrom } from '#lib/paths';
import { oneLine } from '#lib/text';
import { recordIn } from '#lib/values';
import type { Bundle, BundleHook } from './bundle.ts';
import { readHooks } from './read-parts.ts';

const manifests = ['.claude-plugin/plugin.json', 'plugin.json'];
const settingsFiles = ['.claude/settings.json', '.claude/settings.local.json'];

/** Returns whether the folder declares itself a bundle. */
export function isBundleFolder(folder: string): boolean {
  return manifests.some((name) => existsSync(join(folder, name)));
}

/** Resolves with a sentence if the bundle cannot be used. The digest covers all of its files, because hooks can run any of them. */
export async function readBundle(folder: string): Promise<Bundle | string> {
  const root = realpathSync(folder);
  const { files, leftOut, fault } = await collectFiles(root, ['']);
  if (fault !== undefined) return fault;
  const texts = collectedTexts(files);
  const manifest = recordIn(manifests.map((name) => texts.get(name)).find((text) => text !== undefined) ?? '');
  const { name, description, hooks: named } = manifest;
  const hooksPath = typeof named === 'string' ? wayFrom(root, resolve(root, named)) : 'hooks/hooks.json';
  const given = typeof named === 'object' ? { hooks: named } : recordIn(texts.get(hooksPath) ?? '');
  const { hooks, leftOut: badHooks } = readHooks(hooksPath, given['hooks']);
  const { commands, leftOut: badCommands } = commandsIn(texts, 'commands/');
  if (manifest['mcpServers'] !== undefined) leftOut.push('MCP servers in its manifest are left out; only those of .mcp.json are used.');
  for (const part of ['agents', 'outputStyles', 'lspServers']) if (manifest[part] !== undefined) leftOut.push(`${part} are not supported here.`);
  return {
    ...{ root, commands, hooks, isOwn: true, hasServers: texts.has('.mcp.json') },
    name: typeof name === 'string' && /^[a-z0-9][a-z0-9._-]{0,63}$/i.test(name) ? name.toLowerCase() : basename(root),
    description: typeof description === 'string' ? oneLine(description, 300) : '',
    skills: files.flatMap(({ path }) => /^skills\/([^/]+)\/SKILL\.md$/.exec(path)?.[1] ?? []),
    leftOut: [...leftOut, ...badHooks, ...badCommands],
    ...sealed(root, files),
  };
}

/** Resolves with `undefined` if there are no commands or hooks. Skills and servers of a workspace are trusted separately. */
export async function readWorkspace(workspaceRoot: string): Promise<Bundle | string | undefined> {
  const root = realpathSync(workspaceRoot);
  if (!existsSync(join(root, '.claude'))) return undefined;
  const found = await collectFiles(root, ['.claude/commands', '.claude/hooks', ...settingsFiles]);
  const texts = collectedTexts(found.files);
  const read = settingsFiles.map((path) => readHooks(path, recordIn(texts.get(path) ?? '')['hooks']));
  const hooks = read.flatMap((one) => one.hooks);
  const { commands, leftOut } = commandsIn(texts, '.claude/commands/');
  if (hooks.length === 0 && commands.length === 0) return undefined;
  if (found.fault !== undefined) return found.fault;
  const named = await collectFiles(
    root,
    namedFiles(root, hooks).filter((path) => !texts.has(path)),
  );
  if (named.fault !== undefined) return named.fault;
  // Excludes other settings, which change independently of the hooks.
  const counted = found.files.filter(({ path }) => !settingsFiles.includes(path));
  const hookText: CollectedFile = { path: '.claude/settings (hooks)', bytes: Buffer.from(JSON.stringify(hooks, undefined, 1)) };
  const sealedFiles = sealed(root, [...counted, ...named.files, hookText]);
  return {
    ...{ root, commands, hooks, isOwn: false, hasServers: false, skills: [], description: '' },
    name: basename(root),
    leftOut: [...found.leftOut, ...named.leftOut, ...leftOut, ...read.flatMap((one) => one.leftOut)],
    ...sealedFiles,
    stamp: stampOfWorkspace(root, sealedFiles.files.keys()),
  };
}

/** Returns a stamp of the files. The stamp also covers a missing `.claude`, to detect its creation. */
export function stampOfWorkspace(root: string, paths: Iterable<string> = []): string {
  return collectedStamp(root, ['.claude/commands', '.claude/hooks', ...settingsFiles, ...paths]);
}

export function stampOfBundle({ root, files, isOwn }: Bundle): string {
  return isOwn ? collectedStamp(root, files.keys()) : stampOfWorkspace(root, files.keys());
}

function sealed(root: string, files: readonly CollectedFile[]): Pick<Bundle, 'files' | 'digest' | 'stamp'> {
  const byPath = new Map(files.map(({ path, bytes }) => [path, bytes]));
  return { files: byPath, digest: collectedDigest(files), stamp: collectedStamp(root, byPath.keys()) };
}

const cuts = /[\s"'`;|&()<>=]+/;

/** Returns the workspace files that the commands name; they are trusted together with the hooks. */
function namedFiles(root: string, hooks: readonly BundleHook[]): string[] {
  const expanded = hooks.map(({ command }) => command.replace(/\$(?:CLAUDE_PROJECT_DIR\b|\{CLAUDE_PROJECT_DIR\})/g, () => root));
  // A quote may end within a word or enclose several words.
  const words = expanded.flatMap((line) => [...line.replace(/["'\\]/g, '').split(cuts), ...line.split(cuts), ...line.split(/["']/)]);
  const paths = words.filter((word) => word !== '' && !word.includes('\0')).map((word) => resolve(root, word));
  const inside = paths.filter((path) => path !== root && isWithin(root, path) && statSync(path, { throwIfNoEntry: false })?.isFile() === true);
  return [...new Set(inside.map((path) => wayFrom(root, path)))];
}
