// Pools servers for the browser tests of a worker.
import { rmSync } from 'node:fs';
import { openSite, type Site, type VisitOptions } from './browser.ts';

const idleSites = new Map<string, Site>();
const maxIdleSites = 3;
const openSites = new Set<Site>();

export interface TakenSite {
  readonly site: Site;
  release(): Promise<void>;
}

export async function takeSite(options: VisitOptions): Promise<TakenSite> {
  const { script, environment = {}, prepare, plugins = {}, isForeign = false, isFresh = false } = options;
  const key = JSON.stringify([script === 'demo', environment, plugins, isForeign]);
  const idle = prepare || isFresh ? undefined : idleSites.get(key);
  if (idle) idleSites.delete(key);
  const site = idle ?? (await openSite(options));
  openSites.add(site);
  return {
    site,
    async release() {
      if (prepare || !(await site.reset())) return closeSite(site);
      await closeIdle(key);
      idleSites.set(key, site);
      if (idleSites.size > maxIdleSites) await closeIdle(idleSites.keys().next().value ?? '');
    },
  };
}

async function closeIdle(key: string): Promise<void> {
  const site = idleSites.get(key);
  idleSites.delete(key);
  if (site) await closeSite(site);
}

async function closeSite(site: Site): Promise<void> {
  openSites.delete(site);
  await site.close();
}

// The worker is ended by a signal while servers are idle.
process.once('SIGTERM', () => process.exit(0));
process.once('exit', () => {
  for (const { server, home, workspace } of openSites) {
    process.kill(server.pid, 'SIGKILL');
    for (const folder of [home, workspace]) rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
});
