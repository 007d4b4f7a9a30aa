// Implements `/rules`: lists the approval rules of this chat and its folder, and removes them.
import type { SlashCommand } from 'agent-harness/plugins/commands';
import type { RememberedRule } from './contract.ts';
import { wordsOf, type RememberedRules } from './remembered-rules.ts';

export function rulesCommand(rules: Pick<RememberedRules, 'list' | 'remove'>): SlashCommand {
  return {
    name: 'rules',
    permission: 'approvals.write',
    summary: 'Shows the approval rules of this chat and its folder, and removes them.',
    usage: '[remove <number>]',
    async run({ chatId, workspaceRoot, args }) {
      const all = await rules.list({ chatId, workspaceRoot });
      const [word, number] = args.split(/\s+/);
      if (word === 'remove') {
        const rule = all[Number(number) - 1];
        if (!rule) return `There is no rule '${number ?? ''}'. /rules lists the numbers of the rules.`;
        await rules.remove(rule.id);
        return `The rule was removed. These calls need an approval again: ${rule.subject}.`;
      }
      if (all.length === 0) return 'There are no approval rules.';
      return [...all.map((rule, at) => `${at + 1}. ${wordsOf(rule)}: ${answeredText(rule)}`), '', 'Remove a rule with /rules remove <number>.'].join('\n');
    },
  };
}

function answeredText({ answered, lastAt }: RememberedRule): string {
  if (answered === 0 || lastAt === undefined) return 'not used yet';
  return `has answered ${answered === 1 ? 'once' : `${answered} times`}, last on ${lastAt.slice(0, 16).replace('T', ' at ')} UTC`;
}
