// Serves the routes of policies and fleet configurations, and their change notifications.
import * as Type from 'typebox';
import type { Services } from 'agent-harness/kernel';
import { openEventStream } from '#lib/event-stream';
import type { Route } from 'agent-harness/plugins/http';
import type { FleetConfig, Policy } from './contract.ts';
import { differencesOf } from './differences.ts';
import { documentRoutes, documentSchemas, route, type DocumentParts } from './document-routes.ts';
import { previewPolicy } from './preview.ts';
import { fleetSchema, policySchema } from './schemas.ts';

/** Settings that determine which hosts a service trusts, which code it runs, and where it sends data. */
const never: readonly RegExp[] = [
  /(^|_)(KEY|KEYS|TOKEN|SECRET|SECRETS|PASSWORD|CREDENTIALS?)$/,
  /^AGENT_(LICENSE|PLUGIN|WEB_TOKEN|WEB_BIND|WEB_CORS|WEB_ALLOWED|ENTERPRISE|INFERENCE_SESSION)/,
  /^AGENT_(HUB_SITE_URL|CONTROL_PLANE_URL|YOLO|WORKSPACE_ROOT)$/,
];

/** Returns whether a fleet configuration may set the variable. */
export function isFleetKey(name: string): boolean {
  return name.startsWith('AGENT_') && !never.some((pattern) => pattern.test(name));
}

export interface PolicyRouteParts extends Pick<DocumentParts, 'documents' | 'signed' | 'feeds' | 'makeError'> {
  readonly services: Pick<Services, 'people' | 'audit' | 'database'>;
}

const affected = { affects: Type.Integer({ description: 'Number of affected members.' }), of: Type.Integer({ description: 'Number of all members.' }) };
const policyPreview = Type.Object({
  ...affected,
  summary: Type.Array(
    Type.Object({
      change: Type.String({ description: 'Predicate following “members would”, such as `no longer be able to use run_command`.' }),
      members: Type.Integer(),
    }),
  ),
  members: Type.Array(Type.Object({ userId: Type.String(), email: Type.String(), role: Type.String(), changes: Type.Array(Type.String()) })),
});
const fleetPreview = Type.Object({
  ...affected,
  differences: Type.Array(Type.Object({ path: Type.String(), before: Type.Optional(Type.Unknown()), after: Type.Optional(Type.Unknown()) })),
});

const policySchemas = documentSchemas('policy', 'policy', policySchema, policyPreview);
const fleetSchemas = documentSchemas('fleet', 'config', fleetSchema, fleetPreview);

interface MemberRow {
  readonly userId: string;
  readonly email: string;
  readonly role: string;
}

export function policyRoutes(parts: PolicyRouteParts): Route<never>[] {
  const { services, feeds } = parts;
  const membersOf = (orgId: string): Promise<MemberRow[]> =>
    services.database.query<MemberRow>(
      `select m.user_id as "userId", p.email, m.role from membership m join person p on p.id = m.user_id where m.org_id = $1 order by p.email`,
      [orgId],
    );
  return [
    ...documentRoutes({
      ...parts,
      kind: 'policy',
      path: '/api/team/policy',
      field: 'policy',
      title: 'policy',
      schemas: policySchemas,
      entitlement: 'team.policy_governance',
      refuse(body) {
        const names = ((body as Policy).groups ?? []).map(({ name }) => name);
        const twice = names.find((name, at) => names.indexOf(name) !== at);
        return twice === undefined ? undefined : `two groups have the name '${twice}'.`;
      },
      preview: async (before, after, orgId) => previewPolicy(before as Policy, after as Policy, await membersOf(orgId)),
    }),
    ...documentRoutes({
      ...parts,
      kind: 'fleet',
      path: '/api/team/fleet/config',
      field: 'config',
      title: 'fleet configuration',
      schemas: fleetSchemas,
      entitlement: 'team.fleet_config',
      refuse(body) {
        const bad = Object.keys((body as FleetConfig).harness?.env ?? {}).filter((name) => !isFleetKey(name));
        return bad.length === 0 ? undefined : `it must not set ${bad.join(', ')}.`;
      },
      async preview(before, after, orgId) {
        const { length } = await membersOf(orgId);
        const differences = differencesOf(before, after);
        return { affects: differences.length === 0 ? 0 : length, of: length, differences };
      },
    }),
    route({
      key: 'GET /api/team/changes',
      summary: 'Streams the revisions of policy, fleet configuration and membership as server-sent events, now and after each change.',
      tag: 'team',
      permission: 'team.read',
      schema: {},
      isRaw: true,
      mediaType: 'text/event-stream',
      async handle({ principal, reply }) {
        const { people } = services;
        const member = people.member(principal);
        await feeds.follow(member.org.id, () => {
          const access = people.watchAccess(member);
          const stream = openEventStream(reply);
          stream.signal.addEventListener('abort', () => void access.dispose(), { once: true });
          access.signal.addEventListener('abort', () => stream.end(), { once: true });
          if (access.signal.aborted) stream.end();
          return stream;
        });
      },
    }),
  ];
}

declare module 'agent-harness/builtins/control-plane/plane-serve' {
  interface PlaneRoutes {
    'GET /api/team/policy': typeof policySchemas.reading;
    'PUT /api/team/policy': typeof policySchemas.writing;
    'GET /api/team/policy/history': typeof policySchemas.listing;
    'POST /api/team/policy/rollback': typeof policySchemas.rolling;
    'POST /api/team/policy/preview': typeof policySchemas.previewing;
    'GET /api/team/fleet/config': typeof fleetSchemas.reading;
    'PUT /api/team/fleet/config': typeof fleetSchemas.writing;
    'GET /api/team/fleet/config/history': typeof fleetSchemas.listing;
    'POST /api/team/fleet/config/rollback': typeof fleetSchemas.rolling;
    'POST /api/team/fleet/config/preview': typeof fleetSchemas.previewing;
  }
}
