// Adds the command `ask "<text>"`: runs a turn in this process and rejects all approvals and questions, because no user is present.

export const manifest = { name: 'ask', requires: ['kernel', 'product', 'chats', 'turns', 'approvals'] };

const nobody = 'Nobody is there to answer.';

/** @type {import('agent-harness/kernel').PluginModule['register']} */
export function register(registry, emitter) {
  const { kernel, product, chats, turns, approvals } = registry.services;
  let print = (_text) => undefined;
  emitter.on('text', ({ channel, delta }) => channel === 'user' && print(delta));
  // A stopped turn has already settled its approvals and questions, so these errors are ignored.
  emitter.on('tool_approval', ({ approvalId }) => void approvals.decide(approvalId, { decision: 'reject', reason: nobody }).catch(() => undefined));
  emitter.on('ask_user', ({ askId }) => void approvals.answer(askId, nobody).catch(() => undefined));

  registry.add('cli_command', {
    name: 'ask',
    summary: 'Has the agent do one thing in the folder you are in.',
    usage: '"<text>"',
    async run({ positionals, signal }, output) {
      print = (text) => output.out(text);
      // Recovers from an earlier crash first.
      const working = await kernel.start();
      try {
        const { chatId } = await chats.create({ workspaceMode: 'folder', workspaceRoot: product.startFolder, activate: false });
        const { turnId } = await turns.submit({ chatId, text: positionals.join(' ') });
        const stop = () => void turns.abort(chatId).catch(() => undefined);
        signal.addEventListener('abort', stop);
        const end = await turns.ended(turnId);
        signal.removeEventListener('abort', stop);
        if (end?.error) output.err(`${end.error.message}\n`);
        output.out('\n');
        return end?.reason === 'done' ? 0 : 1;
      } finally {
        await working.dispose();
      }
    },
  });
}
