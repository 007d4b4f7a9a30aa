// An approval rule: a push always needs an approval, whatever the other rules allow.

/** @type {import('agent-harness/kernel').PluginModule<any>['register']} */
export function register(registry) {
  registry.add('approval_rule', {
    name: 'ask-to-push',
    decide: ({ tool, args }) =>
      tool.name === 'run_command' && /\bgit push\b/.test(String(args.command))
        ? { verdict: 'ask', reason: 'It would push to a server.', needsPerson: true }
        : undefined,
  });
}
