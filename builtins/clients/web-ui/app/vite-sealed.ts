// Builds the programs for sandboxed frames, each as one compressed file with an inline script.
import { existsSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { build, type Plugin as Step } from 'esbuild';
import type { Plugin } from 'vite';
import { compressAs } from '#lib/encodings';
import { programNonce } from '#lib/page-policy';
import { sealedGuard } from '#lib/sealed-guard';
import { listPackages } from '#sbom';
import { foldersIn } from './vite-messages.ts';

/** Parts of mermaid that are excluded: mathematics and rarely used diagram types. */
const leftOut = /^katex$|\/(?:swimlanesDiagram|abnfDiagram|ebnfDiagram|railroad\w*|cynefinDiagram|wardleyDiagram|ishikawaDiagram)-\w+\.mjs$/;
const leaveOut: Step = {
  name: 'leave-out',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: leftOut }, ({ path }) => ({ path, namespace: 'left-out' }));
    // Replaces the layout of an excluded diagram type.
    onResolve({ filter: /\/swimlanes-\w+\.mjs$/ }, ({ resolveDir }) => {
      const [other = ''] = readdirSync(resolveDir).filter((name) => /^dagre-\w+\.mjs$/.test(name));
      return { path: join(resolveDir, other) };
    });
    onLoad({ filter: /.*/, namespace: 'left-out' }, () => ({ contents: 'export const diagram = undefined; export default {};', loader: 'js' }));
  },
};

/** @param app folder of the page; a program is a file in a folder named `sealed`, in the page's kit or in a built-in's UI */
export function sealedPrograms(app: string): Plugin {
  const builtins = foldersIn(join(app, '../../..')).flatMap(foldersIn);
  const folders = [...foldersIn(join(app, 'kit')), ...builtins.map((plugin) => join(plugin, 'ui'))].map((folder) => join(folder, 'sealed'));
  return {
    name: 'sealed-programs',
    apply: 'build',
    async generateBundle() {
      const files = folders
        .filter((one) => existsSync(one))
        .flatMap((folder) => readdirSync(folder).flatMap((name) => (name.endsWith('.ts') ? [join(folder, name)] : [])));
      // Compresses in parallel, because one program takes seconds of CPU time.
      const packed = await Promise.all(files.map(async (file) => ({ fileName: `sealed-${basename(file, '.ts')}.html.br`, source: await pack(file) })));
      for (const { fileName, source } of packed) this.emitFile({ type: 'asset', fileName, source });
    },
  };
}

async function pack(file: string): Promise<Buffer> {
  const { outputFiles } = await build({
    ...{ entryPoints: [file], bundle: true, minify: true, write: false, format: 'iife', target: 'es2022', legalComments: 'none', conditions: ['source'] },
    define: { 'process.env.NODE_ENV': '"production"' },
    plugins: [leaveOut, listPackages],
  });
  // Neither sequence may end the surrounding script.
  const script = (outputFiles[0]?.text ?? '').replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\x21--');
  const page = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Sealed</title></head><body><script nonce="${programNonce}">${sealedGuard}</script><script nonce="${programNonce}">${script}</script></body></html>`;
  return compressAs('br', Buffer.from(page), 'best');
}
