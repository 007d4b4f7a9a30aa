// An approval rule: whatever else is allowed, a person says yes before something is pushed.

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
