// Builds the page into `dist/web` as hashed files. The code that the first rendering needs is in separate chunks.
import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';
import { listPagePackages } from '#sbom';
import { messages } from './vite-messages.ts';
import { sealedPrograms } from './vite-sealed.ts';

const root = import.meta.dirname;

// Set regardless of the caller's environment: React's development build is 50 % larger, and stores a trace for each element.
process.env['NODE_ENV'] = 'production';

export default defineConfig({
  root,
  // Relative to each file, because a control plane serves the same files under another path.
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
    // Smaller files would become data URLs, which the page's content security policy blocks.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    manifest: true,
    reportCompressedSize: false,
    rolldownOptions: {
      // Suppresses a warning about the seconds that compressing the sandboxed programs takes.
      checks: { bundlerTimings: false },
      output: {
        codeSplitting: {
          groups: [
            // React changes less often than the page, so browsers can keep it cached across updates.
            { name: 'react', test: /node_modules[\\/](?:react|react-dom|scheduler)[\\/]/, priority: 1 },
            // Code that is loaded initially is one file: forty small files shared with lazy chunks would each need their own headers.
            { name: 'page', tags: ['$initial'] },
          ],
        },
      },
    },
  },
  worker: { format: 'es' },
  logLevel: 'warn',
});
