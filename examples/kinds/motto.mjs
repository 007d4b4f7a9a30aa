// A persona part: a motto that is created and activated together with the persona.

/** @type {import('agent-harness/kernel').PluginModule<any>['register']} */
export function register(registry) {
  const mottoOf = ({ name, summary }) => `${name || 'I'}: ${summary}`.slice(0, 120);
  registry.add('persona_artifact', {
    name: 'motto',
    make: async ({ profile }) => mottoOf(profile),
    scaffold: (profile) => mottoOf(profile),
    check: (value) => (typeof value === 'string' && value.length <= 120 ? { value } : 'a motto is one sentence of at most 120 characters'),
  });
}
