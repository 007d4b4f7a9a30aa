// Two jobs: at nine on working days the number of chats is written down, and while nothing else happens the list is kept short.
import { appendFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export const manifest = {
  name: 'scheduled-jobs',
  requires: ['chats'],
  config: {
    type: 'object',
    properties: {
      pattern: { type: 'string', default: '0 9 * * 1-5', env: 'EXAMPLE_COUNT_PATTERN', description: 'When chats are counted, as a cron pattern.' },
      idleMs: { type: 'integer', default: 60_000, minimum: 0, env: 'EXAMPLE_COUNT_IDLE_MS', description: 'How long no turn runs before the list is cut.' },
    },
  },
};

const keptLines = 365;

/** @type {import('agent-harness/kernel').PluginModule['register']} */
export function register(registry) {
  const { services, config, plugin, log } = registry;
  const path = () => join(plugin.dataDir, 'chats.txt');

  registry.add('job', {
    name: 'count-chats',
    when: { cron: config.pattern },
    async run({ dueAt }) {
      const { chats } = await services.chats.list();
      await mkdir(plugin.dataDir, { recursive: true });
      await appendFile(path(), `${new Date(dueAt).toISOString()} ${chats.length}\n`);
    },
  });

  registry.add('job', {
    name: 'cut-chat-counts',
    when: { idleMs: config.idleMs },
    async run({ signal }) {
      const lines = (await readFile(path(), 'utf8').catch(() => '')).split('\n').filter(Boolean);
      if (signal.aborted) return; // a turn has begun; there will be another quiet moment
      if (lines.length > keptLines) await writeFile(path(), `${lines.slice(-keptLines).join('\n')}\n`);
      log.info(`${Math.min(lines.length, keptLines)} counts are kept`);
    },
  });
}
