// Reads the files of a person's own plugins: again when they changed, and with the line where one does not parse.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { types } from 'node:util';
import type { PluginSource } from 'agent-harness/kernel';
import { createUntrustedFileSearch } from './trusted-files.ts';

type FolderSource = Extract<PluginSource, { readonly dir: string }>;

/** The source of the folder. Files that a plugin itself imports are kept by node until the program ends. */
export function userSource(dir: string): FolderSource {
  return { origin: 'user', dir, refuse: createUntrustedFileSearch(), importFile };
}

/** The source of a folder that came after the product: read like one of the person's own. @param isWanted whether anything of it is to run */
export function bundleSource(dir: string, isWanted: boolean): FolderSource {
  return { ...userSource(dir), origin: 'bundle', ...(isWanted ? {} : { include: [] }) };
}

const require = createRequire(import.meta.url);
/** What `require` has loaded, of the whole program. */
const { cache: loaded } = require;

async function importFile(path: string, stamp: string): Promise<unknown> {
  const known = loaded[path];
  if (!known) {
    try {
      // At once, without the thread pool that `import()` waits for three times for each file.
      return require(path) as unknown;
    } catch {
      // It waits at its top level, or it fails, and `import()` says so better.
    }
  } else if (!types.isModuleNamespaceObject(known.exports)) {
    delete loaded[path]; // node keeps CommonJS under its path, and a module under its address
  }
  try {
    return await import(`${pathToFileURL(path).href}?v=${stamp}`);
  } catch (fault) {
    const place = fault instanceof SyntaxError ? await placeOf(path, fault) : undefined;
    throw place === undefined ? fault : new SyntaxError(`${(fault as SyntaxError).message} (${place})`, { cause: fault });
  }
}

/** As `file:line`. Node shows the line only where nobody catches the error, so a process that may end by it parses the file. */
async function placeOf(path: string, fault: SyntaxError): Promise<string | undefined> {
  const told = /^(file:.*:\d+)$/m.exec(fault.stack ?? '')?.[1];
  if (told !== undefined) return told;
  const [text, { execFile }] = await Promise.all([readFile(path, 'utf8'), import('node:child_process')]);
  return new Promise((resolve) => {
    const child = execFile(process.execPath, ['--check', '--input-type=module', '-'], { timeout: 3_000 }, (_fault, _out, complaint) => {
      const line = /^\[stdin\]:(\d+)/m.exec(complaint)?.[1];
      resolve(line === undefined ? undefined : `${path}:${line}`);
    });
    child.stdin?.on('error', () => undefined).end(text); // a child that ended early has said all it has to say
  });
}
