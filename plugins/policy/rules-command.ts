// Implements `/rules`: lists the permanent decisions of this chat and its folder, and revokes them.
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
        if (!rule) return `There is no rule '${number ?? ''}'; /rules shows their numbers.`;
        await rules.remove(rule.id);
        return `It asks again: ${rule.subject}.`;
      }
      if (all.length === 0) return 'There are no rules: each call that needs it asks.';
      return [...all.map((rule, at) => `${at + 1}. ${wordsOf(rule)}: ${answeredText(rule)}`), '', '/rules remove <number> takes one back.'].join('\n');
    },
  };
}

function answeredText({ answered, lastAt }: RememberedRule): string {
  if (answered === 0 || lastAt === undefined) return 'has answered nothing yet';
  return `has answered ${answered === 1 ? 'once' : `${answered} times`}, last on ${lastAt.slice(0, 16).replace('T', ' at ')} UTC`;
}
