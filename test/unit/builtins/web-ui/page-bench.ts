// Serves a small built page from a temporary folder with the routes of the plugin.
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { manifest } from '../../../../builtins/clients/web-ui/index.ts';
import { createPageRoutes } from '../../../../builtins/clients/web-ui/page-routes.ts';
import { startHarness, type Harness } from '../../../helpers/harness.ts';

export interface PageBench {
  readonly harness: Harness;
  readonly folder: string;
  get(path: string, headers?: Record<string, string>): Promise<Response>;
  close(): Promise<void>;
}

const html = `<!doctype html><html lang="en"><head><title>{{title}}</title>
<!-- metas -->
<script type="module" crossorigin src="/assets/index-AbC_12-d.js"></script></head><body><div id="root"></div></body></html>`;

export const script = `export const words = ${JSON.stringify('a long script '.repeat(400))};`;

export async function openPageBench({ isBuilt = true } = {}): Promise<PageBench> {
  const folder = await mkdtemp(join(tmpdir(), 'web-'));
  if (isBuilt) await writePage(folder);
  const harness = await startHarness({
    builtins: ['model-demo'],
    modules: {
      page: {
        manifest: { ...manifest, name: 'page' } as never,
        register(registry: any) {
          for (const route of createPageRoutes({
            services: registry.services,
            metas: { read: async () => ({}) },
            findFolder: () => folder,
            makeError: registry.error,
          }))
            registry.add('route', route);
        },
      },
    },
  });
  return {
    harness,
    folder,
    get: (path, headers = {}) => fetch(harness.url + path, { headers }),
    async close() {
      await harness.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function writePage(folder: string): Promise<void> {
  await mkdir(join(folder, 'assets'));
  await mkdir(join(folder, '.vite'));
  const files = {
    'index.html': html,
    'assets/index-AbC_12-d.js': script,
    'assets/index-x.css': 'body { margin: 0 }',
    'assets/font-x.woff2': 'wOF2',
    'manifest.webmanifest': '{"name":"x"}',
    'icon.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
    'icon-192.png': 'PNG',
    'offline.html': '<!doctype html><title>Offline</title>',
    'sw.js': 'self.skipWaiting();',
    '.vite/manifest.json': '{}',
    '.hidden': 'hidden',
  };
  for (const [path, text] of Object.entries(files)) await writeFile(join(folder, path), text);
  await symlink('/etc/hostname', join(folder, 'assets/link.js'));
}
