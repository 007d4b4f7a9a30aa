// Implements the operator's CLI commands `wallet` and `prices`.
import { readFile } from 'node:fs/promises';
import { explainFault, messageOf } from '#lib/errors';
import { jsonOf } from '#lib/values';
import type { CliCommand } from 'agent-harness/plugins/commands';
import type { Database } from 'agent-harness/builtins/control-plane/plane-database';
import { credits } from './calls.ts';
import type { Wallets, WalletTerms } from './contract.ts';
import type { MakeError } from './manifest.ts';
import { readPrices } from './price.ts';
import type { Prices } from './prices.ts';

/** Maximum wallet cap in credits. */
const maxCredits = 1_000_000_000;

export interface CommandParts {
  readonly database: Pick<Database, 'query' | 'ready'>;
  readonly wallets: Wallets;
  readonly prices: Prices;
  readonly makeError: MakeError;
}

export function inferenceCommands({ database, wallets, prices, makeError }: CommandParts): CliCommand[] {
  async function organisation(named: string): Promise<string> {
    const found = await database.query<{ id: string }>('select id from organisation where id = $1 or name = $1 limit 2', [named]);
    const [one] = found;
    if (!one || found.length > 1)
      throw makeError('WRONG_USE', {
        why:
          found.length === 0
            ? `There is no organisation '${named}'. Use its id or its full name.`
            : `More than one organisation has the name '${named}'. Use the id.`,
      });
    return one.id;
  }

  return [
    {
      name: 'wallet',
      summary: 'Shows the wallet of an organisation, and sets its cap in credits (1 credit is 1 USD).',
      options: {
        org: { type: 'string', description: 'Id or name of the organisation.' },
        cap: { type: 'string', description: 'Credits that members may use per period.' },
        period: { type: 'string', description: 'Period of the wallet: month or none.' },
        zone: { type: 'string', description: 'Time zone of the month boundaries, such as Europe/Vienna; default: UTC.' },
      },
      async run({ options }, output) {
        const { org, cap, period, zone } = options;
        if (typeof org !== 'string') throw makeError('WRONG_USE', { why: 'The organisation is missing. Add --org with its id or name.' });
        if (period !== undefined && period !== 'month' && period !== 'none')
          throw makeError('WRONG_USE', { why: `There is no period '${String(period)}'. Use month or none.` });
        if (typeof zone === 'string' && !isZone(zone)) throw makeError('WRONG_USE', { why: `'${zone}' is not a time zone. Use a name such as Europe/Vienna.` });
        const capMicro = typeof cap === 'string' ? Math.round(Number(cap) * 1_000_000) : undefined;
        if (cap === '' || (capMicro !== undefined && !(capMicro >= 0 && capMicro <= maxCredits * 1_000_000)))
          throw makeError('WRONG_USE', { why: `'${String(cap)}' is not a number of credits from 0 to ${maxCredits}.` });
        const orgId = await organisation(org);
        const terms: WalletTerms = {
          ...(capMicro === undefined ? {} : { capMicro }),
          ...(period === 'month' || period === 'none' ? { period } : {}),
          ...(typeof zone === 'string' ? { timeZone: zone } : {}),
        };
        const state = Object.keys(terms).length === 0 ? await wallets.state(orgId) : await wallets.set(orgId, terms);
        const until = state.periodEnd ? ` until ${state.periodEnd.toISOString()}` : '';
        output.out(
          `${org}: ${credits(state.remainingMicro)} of ${credits(state.capMicro)} credits left${until} (${credits(state.usedMicro)} used, ${credits(state.heldMicro)} reserved)\n`,
        );
        return 0;
      },
    },
    {
      name: 'prices',
      summary: 'Applies the prices in a file, or lists the current prices.',
      usage: '[FILE]',
      options: { from: { type: 'string', description: 'Time from which the prices apply, in ISO 8601; default: now.' } },
      async run({ positionals: [path], options: { from } }, output) {
        if (path === undefined) {
          const all = await prices.all();
          for (const { model, price } of all) output.out(`${model} ${JSON.stringify(price)}\n`);
          if (all.length === 0) output.out('No model has a price, so none is offered.\n');
          return 0;
        }
        const at = typeof from === 'string' ? new Date(from) : undefined;
        if (at && Number.isNaN(at.getTime())) throw makeError('WRONG_USE', { why: `'${String(from)}' is not a time. Use the form 2026-05-01T00:00:00Z.` });
        const text = await readFile(path, 'utf8').catch((fault: unknown) => {
          throw makeError('PRICES', { why: messageOf(explainFault(fault, path)) }, fault);
        });
        const found = readPrices(jsonOf(text));
        if (typeof found === 'string') throw makeError('PRICES', { why: found });
        const changed = await prices.add(found, at);
        output.out(changed.length === 0 ? 'Nothing changed.\n' : `Changed: ${changed.join(', ')}\n`);
        return 0;
      },
    },
  ];
}

function isZone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone });
    return true;
  } catch {
    return false;
  }
}
