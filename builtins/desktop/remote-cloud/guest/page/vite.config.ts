// Builds the page of guests who connect through a relay into `dist/cloud-guest`: the local network's page, started by the script beside this file.
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
