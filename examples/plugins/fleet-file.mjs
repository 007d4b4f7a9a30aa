// Loads team-wide settings from a file that administrators provide: {"AGENT_MODEL": "…"}. They override the user's saved settings.
import { readFileSync } from 'node:fs';

export const manifest = {
  name: 'fleet-file',
  config: {
    type: 'object',
    properties: { path: { type: 'string', env: 'EXAMPLE_FLEET_FILE', title: 'Fleet file', description: 'Absolute path of a JSON file: variable to text.' } },
  },
};

/** @type {import('agent-harness/kernel').PluginModule<any>['register']} */
export function register(registry) {
  const { path } = registry.config;
  if (path) registry.add('settings_layer', { env: JSON.parse(readFileSync(path, 'utf8')) });
}
