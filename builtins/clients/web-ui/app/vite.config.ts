// Builds the page into `dist/web`: hashed files, split where a part is not needed for the first look.
import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { listPagePackages } from '#sbom';
import { messages } from './vite-messages.ts';
import { sealedPrograms } from './vite-sealed.ts';

const root = import.meta.dirname;

// Whatever the caller's environment says: React's development build is half as large again, and keeps a trace for each element.
process.env['NODE_ENV'] = 'production';

export default defineConfig({
  root,
  // By where each file lies: a control plane serves the same files below an address of its own.
  base: './',
  plugins: [react(), messages(root), sealedPrograms(root), listPagePackages],
  resolve: {
    alias: [
      { find: 'agent-harness/client', replacement: join(root, '../../client/client.ts') },
      { find: 'agent-harness/transcript', replacement: join(root, '../../../../plugins/transcript/transcript.ts') },
      { find: /^agent-harness\/lib\/(.*)/, replacement: join(root, '../../../../plugins/lib/$1.ts') },
    ],
  },
  build: {
    outDir: join(root, '../../../../dist/web'),
    emptyOutDir: true,
    target: 'es2023',
    // Files under it would become data: addresses, which the page's policy does not let fetch.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    manifest: true,
    reportCompressedSize: false,
    rolldownOptions: {
      // It would warn of the seconds that compressing the sealed pages takes.
      checks: { bundlerTimings: false },
      output: {
        codeSplitting: {
          groups: [
            // React changes less often than the page, so browsers keep it over an update.
            { name: 'react', test: /node_modules[\\/](?:react|react-dom|scheduler)[\\/]/, priority: 1 },
            // What is always loaded is one file: each of forty small ones that lazy parts share with it would have headers of its own.
            { name: 'page', tags: ['$initial'] },
          ],
        },
      },
    },
  },
  worker: { format: 'es' },
  logLevel: 'warn',
});
