// A guard hook: rejects commands that delete files, before any approval, and returns the reason to the model.

const deleting = /(?:^|[\s;&|(`])(?:\S*\/)?(?:rm|rmdir|shred|unlink)(?:\s|$)/;

/** @type {import('agent-harness/kernel').PluginModule['register']} */
export function register(_registry, emitter) {
  emitter.tap('tool.before', ({ tool, args }) => {
    if (tool.name !== 'run_command' || typeof args['command'] !== 'string') return undefined;
    if (!deleting.test(args['command'])) return undefined;
    return { deny: 'Commands that delete files are not allowed here.', hint: 'Move the files into a folder named trash instead.' };
  });
}
