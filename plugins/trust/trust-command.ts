// Implements `/trust`: shows the content of a workspace that needs trust, and stores the user's decision.
import { BoundedMap } from '#lib/values';
import type { SlashCommand } from 'agent-harness/plugins/commands';
import type { Trust, TrustRow } from './contract.ts';

/** Maximum number of chats whose displayed findings are kept in memory; in other chats, the user must list them again. */
const maxShown = 100;

export function trustCommand(trust: Trust): SlashCommand {
  /** Digests of the findings that were displayed in a chat; the user can trust only these. */
  const shown = new BoundedMap<string, string>(maxShown);

  function show(chatId: string, rows: readonly TrustRow[], why = ''): string {
    shown.set(chatId, digestsOf(rows));
    return `${why}${rows.map(describe).join('\n\n')}\n\n/trust yes trusts exactly this content; /trust no revokes the trust.`;
  }

  return {
    name: 'trust',
    summary: 'Shows the content of this workspace that needs trust, and grants or revokes trust.',
    usage: '[yes | no] [name]',
    async run({ chatId, workspaceRoot, args }) {
      const [word = '', name] = args.split(/\s+/);
      const all = await trust.rows(workspaceRoot);
      const rows = all.filter((row) => name === undefined || row.name === name);
      if (rows.length === 0) return 'This workspace has no content that needs trust.';
      if (word !== 'yes' && word !== 'no') return show(chatId, all);
      if (word === 'yes' && shown.get(chatId) !== digestsOf(all)) return show(chatId, all, 'Review the content first:\n\n');
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
