// Implements `/bundles`: lists bundles, shows the content of one, and trusts exactly the content that was shown.
import { sha256 } from '#lib/hash';
import type { SlashCommand } from 'agent-harness/plugins/commands';
import type { Trust, TrustRow } from 'agent-harness/plugins/trust';
import { describeCounts } from './bundle.ts';
import type { FoundBundle, LiveBundles } from './live-bundles.ts';
import { subjectName } from './subject-name.ts';

/** Subjects of a bundle that run code: hooks and MCP servers. */
const acting = new Set([subjectName, 'mcp-servers']);

export function bundlesCommand(live: () => Promise<LiveBundles>, trust: () => Trust | undefined): SlashCommand {
  async function rowsOf({ root }: FoundBundle): Promise<readonly TrustRow[]> {
    return ((await trust()?.rows(root)) ?? []).filter(({ name }) => acting.has(name));
  }

  async function decide(found: FoundBundle, isTrusted: boolean, code: string): Promise<string> {
    const rows = await rowsOf(found);
    if (isTrusted && (code === '' || code !== confirmationOf(rows)))
      return `The content has changed since it was shown, or it was not shown. Review it first: /bundles ${found.folder}`;
    for (const row of rows) await trust()?.decide(found.root, row.name, row.digest, isTrusted);
    return isTrusted ? `Trusted: ${rows.map(({ title }) => title).join('; ')}.` : `No longer trusted: ${found.folder}.`;
  }

  async function show(found: FoundBundle): Promise<string> {
    if (typeof found.bundle === 'string') return `${found.folder} cannot be used: ${found.bundle}`;
    const rows = await rowsOf(found);
    const parts = rows.map(({ title, detail, isTrusted }) => `${title} (${isTrusted ? 'trusted' : 'not trusted'})\n${detail}`);
    const next = rows.every(({ isTrusted }) => isTrusted)
      ? `/bundles distrust ${found.folder} withdraws the trust.`
      : `/bundles trust ${found.folder} ${confirmationOf(rows)} trusts exactly this.`;
    return `${parts.join('\n\n')}\n\n${next}`;
  }

  return {
    name: 'bundles',
    summary: 'Lists bundles of skills, commands, hooks and servers; shows one, and trusts exactly the content shown.',
    usage: '[<name> | trust <name> <code> | distrust <name>]',
    async run({ args }) {
      const words = args.split(/\s+/).filter(Boolean);
      const found = await (await live()).own();
      const [action = '', name = '', code = ''] = words[0] === 'trust' || words[0] === 'distrust' ? words : ['show', ...words];
      if (name === '') return found.length === 0 ? 'There are no bundles in the plugin folder.' : found.map(lineOf).join('\n');
      const one = found.find(({ folder }) => folder === name);
      if (!one) return `There is no bundle '${name}' in the plugin folder.`;
      return action === 'show' ? show(one) : decide(one, action === 'trust', code);
    },
  };
}

function lineOf({ folder, bundle, isTrusted }: FoundBundle): string {
  if (typeof bundle === 'string') return `${folder}: cannot be used. ${bundle}`;
  return `${folder}: ${describeCounts(bundle)} (${isTrusted ? 'trusted' : `not trusted; /bundles ${folder} shows it`})`;
}

/** Returns a shortened digest that users can type; the decision compares the full value. */
function confirmationOf(rows: readonly TrustRow[]): string {
  return sha256(rows.map(({ name, digest }) => `${name} ${digest}`).join('\n')).slice(0, 12);
}
