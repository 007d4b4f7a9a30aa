// Implements `/trust`, by which the user decides about a workspace in any client.
import { BoundedMap } from '#lib/values';
import type { SlashCommand } from 'agent-harness/plugins/commands';
import type { Trust, TrustRow } from './contract.ts';

/** Maximum number of chats whose shown findings are in memory; others must list them again. */
const maxShown = 100;

export function trustCommand(trust: Trust): SlashCommand {
  /** The findings shown in a chat; the user can trust only these. */
  const shown = new BoundedMap<string, string>(maxShown);

  function show(chatId: string, rows: readonly TrustRow[], why = ''): string {
    shown.set(chatId, digestsOf(rows));
    return `${why}${rows.map(describe).join('\n\n')}\n\n/trust yes trusts exactly this; /trust no takes it back.`;
  }

  return {
    name: 'trust',
    summary: 'Shows what this workspace provides, and grants or revokes trust in it.',
    usage: '[yes | no] [name]',
    async run({ chatId, workspaceRoot, args }) {
      const [word = '', name] = args.split(/\s+/);
      const all = await trust.rows(workspaceRoot);
      const rows = all.filter((row) => name === undefined || row.name === name);
      if (rows.length === 0) return 'This workspace brings nothing with it that would need trust.';
      if (word !== 'yes' && word !== 'no') return show(chatId, all);
      if (word === 'yes' && shown.get(chatId) !== digestsOf(all)) return show(chatId, all, 'Look at it first:\n\n');
      for (const row of rows) await trust.decide(workspaceRoot, row.name, row.digest, word === 'yes');
      return word === 'yes' ? `Trusted: ${rows.map(({ title }) => title).join('; ')}.` : `No longer trusted: ${rows.map(({ title }) => title).join('; ')}.`;
    },
  };
}

function digestsOf(rows: readonly TrustRow[]): string {
  return rows.map(({ name, digest }) => `${name} ${digest}`).join('\n');
}

function describe({ name, title, detail, isTrusted }: TrustRow): string {
  return `${name}: ${title} (${isTrusted ? 'trusted' : 'not trusted'})\n${detail}`;
}
