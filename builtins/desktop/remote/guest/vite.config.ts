// Builds the guest page into `dist/guest-web`: one script and one style sheet with relative addresses.
import { join } from 'node:path';
import { defineConfig } from 'vite';

const root = import.meta.dirname;

export default defineConfig({
  root,
  // Relative to the page, whatever its address is.
  base: './',
  resolve: { alias: [{ find: /^#lib\/(.*)/, replacement: join(root, '../../../../plugins/lib/$1.ts') }] },
  build: {
    outDir: join(root, '../../../../dist/guest-web'),
    emptyOutDir: true,
    // Phones may have older browsers than the host.
    target: ['es2021', 'safari15', 'chrome100', 'firefox100'],
    assetsInlineLimit: 0,
    modulePreload: false,
    reportCompressedSize: false,
  },
  logLevel: 'warn',
});
