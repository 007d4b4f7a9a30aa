// Builds the page into `dist/web`: hashed files, split where a part is not needed for the first look.
import { join } from 'node:path';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const root = import.meta.dirname;

// Whatever the caller's environment says: React's development build is half as large again, and keeps a trace for each element.
process.env['NODE_ENV'] = 'production';

export default defineConfig({
  root,
  base: '/',
  plugins: [react()],
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
    // React changes less often than the page, so browsers keep it over an update.
    rolldownOptions: { output: { codeSplitting: { groups: [{ name: 'react', test: /node_modules[\\/](?:react|react-dom|scheduler)[\\/]/ }] } } },
  },
  worker: { format: 'es' },
  logLevel: 'warn',
});
