// A CLI command: `app tides`.

/** @type {import('agent-harness/kernel').PluginModule<any>['register']} */
export function register(registry) {
  registry.add('cli_command', {
    name: 'tides',
    summary: 'Says when the tide is high.',
    usage: '[place]',
    async run({ positionals: [place = 'the harbour'] }, output) {
      output.out(`High tide at ${place}: 06:12 and 18:37.\n`);
      return 0;
    },
  });
}
