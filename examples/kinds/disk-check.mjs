// A check for `app doctor`: whether the plugin's requirements are met, and how to fix them.
import { statfsSync } from 'node:fs';

/** @type {import('agent-harness/kernel').PluginModule<any>['register']} */
export function register(registry) {
  registry.add('doctor_check', {
    name: 'room for charts',
    async look() {
      const { bavail, bsize } = statfsSync('/');
      return bavail * bsize > 10_000_000
        ? [{ level: 'ok', text: 'There is room for charts.' }]
        : [{ level: 'wrong', text: 'There is no room for charts.', mend: 'Delete something.' }];
    },
  });
}
