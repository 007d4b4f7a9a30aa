// A slash command in a child process: `/dice 20` replies in every client, without a model call.
import { randomInt } from 'node:crypto';

export const manifest = { name: 'roll-dice', isolation: 'child' };

/** @type {import('agent-harness/kernel').PluginModule['register']} */
export function register(registry) {
  registry.add('slash_command', {
    name: 'dice',
    summary: 'Rolls a die.',
    usage: '[sides]',
    run({ args }) {
      const sides = args === '' ? 6 : Number(args);
      if (!Number.isInteger(sides) || sides < 2 || sides > 1000) return 'Give a number of sides from 2 to 1000.';
      return `You rolled ${randomInt(1, sides + 1)} of ${sides}.`;
    },
  });
}
