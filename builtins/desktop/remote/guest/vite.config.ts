// Builds the page of guests into `dist/guest-web`: a script and a style sheet, independent of where they are served from.
import { join } from 'node:path';
import { defineConfig } from 'vite';

const root = import.meta.dirname;

export default defineConfig({
  root,
  // Beside the page, whatever its address.
  base: './',
  resolve: { alias: [{ find: /^#lib\/(.*)/, replacement: join(root, '../../../../plugins/lib/$1.ts') }] },
  build: {
    outDir: join(root, '../../../../dist/guest-web'),
    emptyOutDir: true,
    // Phones may be older than the host.
    target: ['es2021', 'safari15', 'chrome100', 'firefox100'],
    assetsInlineLimit: 0,
    modulePreload: false,
    reportCompressedSize: false,
  },
  logLevel: 'warn',
});
