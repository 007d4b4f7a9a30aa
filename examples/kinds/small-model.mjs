// Another model for some of the work: titles and summaries go to the one that EXAMPLE_SMALL_MODEL names.

export const manifest = {
  name: 'small-model',
  config: {
    type: 'object',
    properties: {
      model: { type: 'string', default: '', env: 'EXAMPLE_SMALL_MODEL', title: 'Small model', description: 'For titles; empty: the usual one.', apply: 'live' },
    },
  },
};

/** @type {import('agent-harness/kernel').PluginModule<any>['register']} */
export function register({ config }, emitter) {
  emitter.tap('model.route', (route, request) => (config.model !== '' && request?.purpose === 'title' ? { ...route, model: config.model } : route));
}
