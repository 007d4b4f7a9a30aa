// For whoever writes a plugin: every file of it counts, it may stand elsewhere than in the folder of plugins, and its faults are told as they were thrown.
import * as nodeModule from 'node:module';
import { existsSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { failure } from 'agent-harness/lib/errors';
import type { PluginFault, UserPlugins } from 'agent-harness/plugins/settings';
import { nameOf } from './plugin-trust.ts';

export interface PluginDevelopment extends Pick<UserPlugins, 'locate' | 'readClosely' | 'also' | 'onFault'> {
  /** To be added to what tells one content of a plugin from another. @param contentOf of all its files */
  stampOf(path: string, contentOf: (path: string) => string | undefined): string;
  /** Further folders, and the plugin that is wanted of each. */
  readonly elsewhere: readonly { readonly dir: string; readonly name: string }[];
  failed(fault: PluginFault): void;
}

/** @param userDir the folder of plugins, which is read anyway */
export function createPluginDevelopment(userDir: string): PluginDevelopment {
  const listeners = new Set<(fault: PluginFault) => void>();
  const elsewhere: { dir: string; name: string }[] = [];
  let isClose = false;
  return {
    elsewhere,
    locate(named) {
      const here = resolve(named);
      const isName = basename(named) === named;
      const places = [here, ...(isName ? ['', '.mjs', '.js'].map((end) => join(userDir, `${named}${end}`)) : [])];
      const found = places.find((path) => existsSync(path));
      if (found === undefined)
        throw failure(`There is no plugin at ${here}${isName ? `, and none named '${named}' in ${userDir}` : ''}; name its folder, or its file.`);
      return found;
    },
    readClosely() {
      if (!isClose) handVersionsOn();
      isClose = true;
    },
    also(path) {
      const dir = dirname(path);
      const isFolder = statSync(path, { throwIfNoEntry: false })?.isDirectory() !== false;
      if (dir !== userDir) elsewhere.push({ dir, name: nameOf(isFolder ? join(path, 'index.mjs') : path) });
    },
    onFault(hear) {
      listeners.add(hear);
      return { dispose: () => void listeners.delete(hear) };
    },
    stampOf: (path, contentOf) => (isClose ? (contentOf(path) ?? '') : ''),
    failed(fault) {
      for (const hear of listeners) hear(fault);
    },
  };
}

/** A file of a plugin is imported under another address for each content (`?v=…`); what it imports of its own gets the same, or node would answer the former. */
function handVersionsOn(): void {
  const marked = `const marked = (found, specifier, { parentURL = '' }) => {
    const at = parentURL.indexOf('?v=');
    const isOwn = at > 0 && /^\\.{1,2}\\//.test(specifier) && found.url.startsWith('file:') && !found.url.includes('?');
    return isOwn ? { ...found, url: found.url + parentURL.slice(at) } : found;
  };`;
  const inThread = `${marked} export const resolve = async (specifier, context, next) => marked(await next(specifier, context), specifier, context);`;
  const here = `${marked} import { registerHooks } from 'node:module'; registerHooks({ resolve: (specifier, context, next) => marked(next(specifier, context), specifier, context) });`;
  const asAddress = (code: string): string => `data:text/javascript,${encodeURIComponent(code)}`;
  // Node has the one from 22.15 on.
  if ('registerHooks' in nodeModule) void import(asAddress(here));
  else nodeModule.register(asAddress(inThread));
}
