// A hook that can reject: a message with a password is neither stored nor sent.

export const manifest = { name: 'no-passwords', errors: { SECRET: { message: 'There is a password in it. Take it out, and send it again.', status: 422 } } };

/** @type {import('agent-harness/kernel').PluginModule<any>['register']} */
export function register(registry, emitter) {
  emitter.tap('message.guard', ({ text }) => (/\bpassword:\s*\S/i.test(text) ? registry.error('SECRET') : undefined));
}
