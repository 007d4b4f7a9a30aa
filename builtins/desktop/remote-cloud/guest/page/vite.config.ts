// Builds the page of relay guests into `dist/cloud-guest`: the local network's page with the start script of this folder.
import { join } from 'node:path';
import guestConfig from '#guest/vite.config.ts';
import { defineConfig } from 'vite';

const own = import.meta.dirname;
const begin = { name: 'cloud-guest', enforce: 'pre', resolveId: (id: string) => (id === './main.ts' ? join(own, 'main.ts') : undefined) } as const;

export default defineConfig({
  ...guestConfig,
  plugins: [begin],
  build: { ...guestConfig.build, outDir: join(own, '../../../../../dist/cloud-guest') },
});
