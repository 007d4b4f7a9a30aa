// Implements the CLI commands `issue` and `revoke` for licenses.
import { countWithNoun } from '#lib/text';
import type { CliCommand } from 'agent-harness/plugins/commands';
import type { Database } from 'agent-harness/builtins/control-plane/plane-database';
import type { People, Person } from 'agent-harness/builtins/control-plane/plane-people';
import type { Role } from 'agent-harness/plugins/http';
import type { Tier } from 'agent-harness/plugins/licensing';
import { isTier } from 'agent-harness/tiers';
import type { MakeError } from './license-errors.ts';
import type { PlaneLicenses } from './contract.ts';

export interface CommandParts {
  readonly database: Database;
  readonly people: People;
  readonly licenses: PlaneLicenses;
  readonly makeError: MakeError;
}

const roles: readonly string[] = ['viewer', 'member', 'admin', 'owner'] satisfies Role[];
/** Maximum lifetime of a license in days. */
const maxDays = 36_500;

export function licenseCommands(parts: CommandParts): CliCommand[] {
  const { database, people, licenses, makeError } = parts;
  const wrong = (why: string): Error => makeError('WRONG_USE', { why });
  const textOf = (value: string | boolean | undefined): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);

  /** Finds an organisation by id or name; default: the operator's organisation. Creates a missing one with the given plan. */
  async function organisationFor(named: string | undefined, person: Person, tier: Tier | undefined): Promise<string> {
    if (named === undefined) {
      const [first] = await people.organisationsOf(person.id);
      const known = first?.org ?? (await people.operator());
      if (known) return known.id;
    } else {
      const found = await database.query<{ id: string }>('select id from organisation where id = $1 or name = $1', [named]);
      if (found.length > 1) throw wrong(`There are ${found.length} organisations with the name '${named}'. Use an id.`);
      if (found[0]) return found[0].id;
    }
    return database.transaction(async (query) => {
      const org = await people.createOrganisation(named ?? person.email, query);
      if (tier !== undefined && named !== undefined) await query.query('update organisation set tier = $2 where id = $1', [org.id, tier]);
      return org.id;
    });
  }

  return [
    {
      name: 'issue',
      summary: 'Issues a license and prints its token. Adds the person to the organisation if necessary.',
      options: {
        email: { type: 'string', description: 'E-mail address of the person.' },
        tier: { type: 'string', description: "Tier: community, pro, team or enterprise; default: the organisation's plan." },
        days: { type: 'string', description: 'Lifetime in days; default: 30. A negative number creates an expired license.' },
        org: { type: 'string', description: 'Id or name of the organisation; default: the organisation of the person, or the first one.' },
        role: { type: 'string', description: 'Role: viewer, member, admin or owner; default for a new member: member.' },
      },
      async run({ options }, output) {
        const { email, tier, days, org, role } = Object.fromEntries(Object.entries(options).map(([name, value]) => [name, textOf(value)]));
        if (email === undefined) throw wrong('The e-mail address is missing. Add --email ann@example.org.');
        if (tier !== undefined && !isTier(tier)) throw wrong(`There is no tier '${tier}'. Use community, pro, team or enterprise.`);
        if (role !== undefined && !roles.includes(role)) throw wrong(`There is no role '${role}'. Use one of ${roles.join(', ')}.`);
        const count = days === undefined ? undefined : Number(days);
        if (count !== undefined && !(Math.abs(count) <= maxDays)) throw wrong(`'${days}' is not a number of days up to ${maxDays}.`);
        const person = (await people.find(email)) ?? (await people.create({ email }));
        const orgId = await organisationFor(org, person, tier);
        const known = await people.membership(orgId, person.id);
        if (!known || (role !== undefined && role !== known.role)) {
          await people.join(orgId, person.id, (role as Role | undefined) ?? 'member');
          people.changed({ what: 'member', orgId, userId: person.id });
        }
        const issued = await licenses.issue({
          orgId,
          userId: person.id,
          ...(tier === undefined ? {} : { tier }),
          ...(count === undefined ? {} : { days: count }),
          device: 'issued by the operator',
        });
        output.out(`${issued.token}\n`);
        return 0;
      },
    },
    {
      name: 'revoke',
      summary: 'Revokes one license, or all licenses of a person.',
      options: {
        jti: { type: 'string', description: 'Id of the license (claim jti).' },
        email: { type: 'string', description: 'E-mail address of the person, to revoke all their licenses.' },
      },
      async run({ options }, output) {
        const [jti, email] = [textOf(options['jti']), textOf(options['email'])];
        if ((jti === undefined) === (email === undefined)) throw wrong('Set either --jti or --email.');
        const person = email === undefined ? undefined : await people.find(email);
        if (email !== undefined && !person) throw makeError('NOT_FOUND');
        const rows = await database.query<{ jti: string }>(
          'update license set revoked_at = now() where revoked_at is null and (jti = $1 or user_id = $2) returning jti',
          [jti ?? null, person?.id ?? null],
        );
        if (rows.length === 0 && jti !== undefined) throw makeError('NOT_FOUND');
        for (const row of rows) people.changed({ what: 'credential', credential: row.jti });
        output.out(`${countWithNoun(rows.length, 'license')} revoked.\n`);
        return 0;
      },
    },
  ];
}
