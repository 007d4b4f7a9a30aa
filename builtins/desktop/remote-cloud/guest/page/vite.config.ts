// Builds the remote viewer page for connections over the relay into `dist/cloud-guest`: the same page as for the local network, with another entry script.
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
