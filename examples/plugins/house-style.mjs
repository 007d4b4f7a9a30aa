// Adds a section to the system prompt. It is identical in every round, so the provider's prompt cache still hits.

const text = 'House style: answer in short sentences, write British English, and name the files that you changed at the end.';

/** @type {import('agent-harness/kernel').PluginModule['register']} */
export function register(_registry, emitter) {
  emitter.tap('prompt.build', (prompt) => ({ ...prompt, system: [...prompt.system, { id: 'house-style', text }] }));
}
