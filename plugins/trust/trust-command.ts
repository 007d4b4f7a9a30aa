// `/trust`: the same decision in every client.
import type { SlashCommand } from 'agent-harness/plugins/commands';
import type { Trust, TrustRow } from './contract.ts';

export function trustCommand(trust: Trust): SlashCommand {
  return {
    name: 'trust',
    summary: 'Shows what this workspace brings with it, and trusts it or takes that back.',
    usage: '[yes | no] [name]',
    async run({ workspaceRoot, args }) {
      const [word = '', name] = args.split(/\s+/);
      const rows = (await trust.rows(workspaceRoot)).filter((row) => name === undefined || row.name === name);
      if (rows.length === 0) return 'This workspace brings nothing with it that would need trust.';
      if (word !== 'yes' && word !== 'no') return `${rows.map(describe).join('\n\n')}\n\n\`/trust yes\` trusts exactly this; \`/trust no\` takes it back.`;
      for (const row of rows) await trust.decide(workspaceRoot, row.name, row.digest, word === 'yes');
      return word === 'yes' ? `Trusted: ${rows.map(({ title }) => title).join('; ')}.` : `No longer trusted: ${rows.map(({ title }) => title).join('; ')}.`;
    },
  };
}

function describe({ name, title, detail, isTrusted }: TrustRow): string {
  const lines = detail.split('\n').map((line) => `    ${line}`);
  return `**${name}**: ${title} (${isTrusted ? 'trusted' : 'not trusted'})\n\n${lines.join('\n')}`;
}
