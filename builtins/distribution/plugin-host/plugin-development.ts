// Supports plugin development: watches all files of a plugin, loads plugins from outside the plugin folder, and reports their original errors.
import * as nodeModule from 'node:module';
import { existsSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { failure } from '#lib/errors';
import type { PluginFault, UserPlugins } from 'agent-harness/plugins/settings';
import { stampOf } from './plugin-files.ts';

export interface PluginDevelopment extends Pick<UserPlugins, 'locate' | 'readClosely' | 'also' | 'onFault'> {
  /** Returns the part of a plugin's version that changes with any of its files; used only in development. */
  stampOf(path: string): string;
  /** Absolute paths of additional plugins: their folders or files. */
  readonly elsewhere: readonly string[];
  failed(fault: PluginFault): void;
}

/** @param userDir path of the plugin folder */
export function createPluginDevelopment(userDir: string): PluginDevelopment {
  const listeners = new Set<(fault: PluginFault) => void>();
  const elsewhere: string[] = [];
  let isClose = false;
  return {
    elsewhere,
    locate(named) {
      const here = resolve(named);
      const isName = basename(named) === named;
      const places = [here, ...(isName ? ['', '.mjs', '.js'].map((end) => join(userDir, `${named}${end}`)) : [])];
      const found = places.find((path) => existsSync(path));
      if (found === undefined)
        throw failure(
          `There is no plugin at ${here}${isName ? `, and none named '${named}' in ${userDir}` : ''}. Specify the folder or the file of the plugin.`,
        );
      return found;
    },
    readClosely() {
      if (!isClose) handVersionsOn();
      isClose = true;
    },
    also: (path) => void (dirname(path) === userDir || elsewhere.push(path)),
    onFault(hear) {
      listeners.add(hear);
      return { dispose: () => void listeners.delete(hear) };
    },
    stampOf: (path) => (isClose ? (stampOf(path) ?? '') : ''),
    failed(fault) {
      for (const hear of listeners) hear(fault);
    },
  };
}

/** Adds the version of a plugin file (`?v=…`) to the files that it imports, because Node caches modules by URL. */
function handVersionsOn(): void {
  const marked = `const marked = (found, specifier, { parentURL = '' }) => {
    const at = parentURL.indexOf('?v=');
    const isOwn = at > 0 && /^\\.{1,2}\\//.test(specifier) && found.url.startsWith('file:') && !found.url.includes('?');
    return isOwn ? { ...found, url: found.url + parentURL.slice(at) } : found;
  };`;
  const inThread = `${marked} export const resolve = async (specifier, context, next) => marked(await next(specifier, context), specifier, context);`;
  const here = `${marked} import { registerHooks } from 'node:module'; registerHooks({ resolve: (specifier, context, next) => marked(next(specifier, context), specifier, context) });`;
  const asAddress = (code: string): string => `data:text/javascript,${encodeURIComponent(code)}`;
  // Available from Node 22.15 on.
  if ('registerHooks' in nodeModule) void import(asAddress(here));
  else nodeModule.register(asAddress(inThread));
}
