// Settings in their own tab: a choice, a bounded number and a switch. `registry.config` holds the values.

export const manifest = {
  name: 'settings-tab',
  config: {
    type: 'object',
    properties: {
      unit: {
        enum: ['knots', 'km/h'],
        default: 'knots',
        env: 'EXAMPLE_UNIT',
        tab: 'sailing',
        title: 'Unit of speed',
        description: 'What speeds are told in.',
        apply: 'live',
      },
      crew: {
        type: 'integer',
        default: 4,
        minimum: 1,
        maximum: 40,
        env: 'EXAMPLE_CREW',
        tab: 'sailing',
        title: 'Crew',
        description: 'How many sail along.',
        apply: 'live',
      },
      isNight: {
        type: 'boolean',
        default: false,
        env: 'EXAMPLE_NIGHT',
        tab: 'sailing',
        title: 'At night',
        description: 'Whether to sail at night, too.',
        apply: 'live',
      },
    },
  },
};

/** @type {import('agent-harness/kernel').PluginModule<any>['register']} */
export function register(registry) {
  const { config } = registry;
  registry.add('settings_tab', { id: 'sailing', title: 'Sailing' });
  registry.add('slash_command', {
    name: 'crew',
    summary: 'Says how many sail along.',
    run: () => `${config.crew}${config.isNight ? ', at night, too' : ''}, and speeds are told in ${config.unit}.`,
  });
}
