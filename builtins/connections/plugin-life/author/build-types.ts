// Turns a plugin's TypeScript into what runs: each file beside its source, types taken out and nothing else changed.
import { readdir, readFile, writeFile } from 'node:fs/promises';
import * as nodeModule from 'node:module';
import { basename, join } from 'node:path';
import { failure } from 'agent-harness/lib/errors';
import { sha256 } from 'agent-harness/lib/hash';

/** The text of what runs, with the line that says of which source it was made. */
export function builtFrom(source: string, text: string, code: string): string {
  return `${markOf(source, text)}\n${code}`;
}

const markOf = (source: string, text: string): string => `// Made of ${source} (${sha256(text).slice(0, 16)}) by \`plugins test\`: change that.`;

/**
 * Makes `x.mjs` of each `x.ts` whose source has changed since. Answers the files that were made. Rejects with what to install where nothing here can
 * take types out.
 */
export async function buildTypes(folder: string): Promise<readonly string[]> {
  const sources = (await readdir(folder)).filter((name) => /(?<!\.d)\.ts$/.test(name));
  const made: string[] = [];
  for (const name of sources) {
    const path = join(folder, name.replace(/\.ts$/, '.mjs'));
    const text = await readFile(join(folder, name), 'utf8');
    const before = await readFile(path, 'utf8').catch(() => '');
    if (before.startsWith(markOf(name, text))) continue;
    const code = await withoutTypes(text, folder);
    await writeFile(path, builtFrom(name, text, code.replace(/(\bfrom\s*|\bimport\s*\(?\s*)(['"])(\.{1,2}\/[^'"]+)\.ts\2/g, '$1$2$3.mjs$2')));
    made.push(basename(path));
  }
  return made;
}

interface Transpiler {
  transpileModule(text: string, options: { readonly compilerOptions: Readonly<Record<string, unknown>> }): { readonly outputText: string };
}

async function withoutTypes(text: string, folder: string): Promise<string> {
  // Node has it from 22.13 on.
  const { stripTypeScriptTypes } = nodeModule as { readonly stripTypeScriptTypes?: (text: string) => string };
  if (stripTypeScriptTypes) return stripTypeScriptTypes(text);
  try {
    const { transpileModule } = nodeModule.createRequire(join(folder, 'index.ts'))('typescript') as Transpiler;
    return transpileModule(text, { compilerOptions: { target: 'es2023', module: 'esnext', verbatimModuleSyntax: true } }).outputText;
  } catch {
    throw failure('Nothing here turns TypeScript into JavaScript. Use node 22.13 or newer, or install it beside the plugin: npm install --no-save typescript');
  }
}
