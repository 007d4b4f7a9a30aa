// An event listener with persistent state: counts turns across reloads and restarts.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** @type {import('agent-harness/kernel').PluginModule<any>['register']} */
export function register(registry, emitter) {
  const { dataDir } = registry.plugin;
  const file = join(dataDir, 'turns.json');
  const read = () => {
    try {
      return JSON.parse(readFileSync(file, 'utf8'));
    } catch {
      return 0; // first start
    }
  };
  emitter.on('turn_end', () => {
    mkdirSync(dataDir, { recursive: true });
    writeFileSync(file, String(read() + 1));
  });
  registry.add('slash_command', { name: 'turns', summary: 'Says how many turns there were.', run: () => `${read()} so far.` });
}
