// A scheduled job: its runs never overlap, and a run that was missed while the server was down runs later.

/** @type {import('agent-harness/kernel').PluginModule<any>['register']} */
export function register(registry) {
  registry.add('job', {
    name: 'look-at-the-sea',
    when: { cron: '0 * * * *' },
    run: ({ signal }) => (signal.aborted ? undefined : registry.log.info('The sea is calm.')),
  });
}
