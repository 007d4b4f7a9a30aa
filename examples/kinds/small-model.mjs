// Routes some model calls to another model: EXAMPLE_SMALL_MODEL compresses long chats.

export const manifest = {
  name: 'small-model',
  config: {
    type: 'object',
    properties: {
      model: {
        type: 'string',
        default: '',
        env: 'EXAMPLE_SMALL_MODEL',
        title: 'Small model',
        description: 'For digests; empty: the usual one.',
        apply: 'live',
      },
    },
  },
};

/** @type {import('agent-harness/kernel').PluginModule<any>['register']} */
export function register({ config }, emitter) {
  emitter.tap('model.route', (route, request) => (config.model !== '' && request?.purpose === 'compress' ? { ...route, model: config.model } : route));
}
