// A job: something that is done from time to time, never twice at once, and made up for after a time in which nothing ran.

/** @type {import('agent-harness/kernel').PluginModule<any>['register']} */
export function register(registry) {
  registry.add('job', {
    name: 'look-at-the-sea',
    when: { cron: '0 * * * *' },
    run: ({ signal }) => (signal.aborted ? undefined : registry.log.info('The sea is calm.')),
  });
}
