// Builds the control plane's pages into `dist/plane-web` with the UI kit of the server's page.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vite';
import pageConfig from '#page/vite.config.ts';

const root = import.meta.dirname;
const page = join(root, '../../../clients/web-ui/app');

export default defineConfig({
  ...pageConfig,
  root,
  // Absolute, because page paths have several segments.
  base: '/',
  plugins: [
    // Omits the programs of sandboxed frames.
    ...(pageConfig.plugins ?? []).filter((one) => !(one && 'name' in one && one.name === 'sealed-programs')),
    {
      name: 'files-of-the-page',
      // Injects an unbundled script that runs before the first rendering.
      transformIndexHtml: { order: 'post', handler: () => [{ tag: 'script', attrs: { src: '/theme.js' }, injectTo: 'head-prepend' }] },
      generateBundle() {
        for (const fileName of ['theme.js', 'icon.svg']) this.emitFile({ type: 'asset', fileName, source: readFileSync(join(page, 'public', fileName)) });
      },
    },
  ],
  build: { ...pageConfig.build, outDir: join(root, '../../../../dist/plane-web') },
});
