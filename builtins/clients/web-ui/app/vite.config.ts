// Builds the page into `dist/web`: hashed files, split by what the first rendering needs.
import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { listPagePackages } from '#sbom';
import { messages } from './vite-messages.ts';
import { sealedPrograms } from './vite-sealed.ts';

const root = import.meta.dirname;

// Regardless of the caller's environment: React's development build is half as large again, and keeps a trace for each element.
process.env['NODE_ENV'] = 'production';

export default defineConfig({
  root,
  // Relative to each file: a control plane serves the same files below another address.
  base: './',
  plugins: [react(), messages(root), sealedPrograms(root), listPagePackages],
  resolve: {
    alias: [
      { find: 'agent-harness/client', replacement: join(root, '../../client/client.ts') },
      { find: 'agent-harness/transcript', replacement: join(root, '../../../../plugins/transcript/transcript.ts') },
      { find: /^#lib\/(.*)/, replacement: join(root, '../../../../plugins/lib/$1.ts') },
    ],
  },
  build: {
    outDir: join(root, '../../../../dist/web'),
    emptyOutDir: true,
    target: 'es2023',
    // The first versions with `light-dark()`. For older ones, `:dir()` would become a list of languages.
    cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
    // Smaller files would become data URLs, which the page's policy does not allow to fetch.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    manifest: true,
    reportCompressedSize: false,
    rolldownOptions: {
      // Prevents a warning about the seconds needed to compress the sealed pages.
      checks: { bundlerTimings: false },
      output: {
        codeSplitting: {
          groups: [
            // React changes less often than the page, so browsers keep it cached across updates.
            { name: 'react', test: /node_modules[\\/](?:react|react-dom|scheduler)[\\/]/, priority: 1 },
            // Initially loaded code is one file: each of forty small ones shared with lazy parts would have its own headers.
            { name: 'page', tags: ['$initial'] },
          ],
        },
      },
    },
  },
  worker: { format: 'es' },
  logLevel: 'warn',
});
