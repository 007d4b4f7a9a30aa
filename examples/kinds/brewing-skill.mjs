// A skill: a folder with instructions that the model reads when they are relevant.
import { realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** @type {import('agent-harness/kernel').PluginModule<any>['register']} */
export function register(registry) {
  const root = realpathSync(fileURLToPath(new URL('./brewing-skill/', import.meta.url)));
  registry.add('skill_root', { name: 'Brewing', root, folder: 'skills' });
}
