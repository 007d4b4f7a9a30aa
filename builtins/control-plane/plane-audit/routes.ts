// Serves the HTTP routes of the audit log.
import { Readable } from 'node:stream';
import { oneOf } from '#lib/schemas';
import * as Type from 'typebox';
import type { KernelError, Services } from 'agent-harness/kernel';
import type { AuditEvent } from 'agent-harness/builtins/control-plane/plane-audit-log';
import type { Route, RouteSchema } from 'agent-harness/plugins/http';

export interface AuditRouteParts {
  readonly services: Pick<Services, 'audit' | 'people'>;
  readonly makeError: (reason: 'INVALID_REQUEST', details: Readonly<Record<string, unknown>>) => KernelError;
}

const strict = { additionalProperties: false } as const;
const tag = 'team';
/** Maximum size of an event's metrics in bytes. It excludes long texts, because the log must not contain conversation text. */
const metricsBytes = 16_384;
const exportPage = 1_000;

const id = Type.String({ pattern: '^[\\w.:-]{1,128}$' });
const kind = Type.String({ pattern: '^[a-z][a-z0-9_.]{0,63}$' });
const time = Type.String({ maxLength: 40, pattern: '^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}(\\.\\d+)?(Z|[+-]\\d{2}:\\d{2})$' });
const metrics = Type.Record(Type.String({ maxLength: 100 }), Type.Unknown(), {
  description: `Facts about the event without conversation text; at most ${metricsBytes} bytes of JSON.`,
});
const reported = { id, kind, at: time, chatId: Type.Optional(id), turnId: Type.Optional(id), metrics: Type.Optional(metrics) };

const posting = {
  body: Type.Object({ events: Type.Array(Type.Object(reported, strict), { maxItems: 500 }) }, strict),
  reply: Type.Object({ stored: Type.Integer(), duplicates: Type.Integer({ description: 'Number of events that were already stored.' }) }),
};
const stored = Type.Object({
  ...reported,
  seq: Type.Integer({ description: 'Sequence number of the line; increases by one.' }),
  source: oneOf(['plane', 'service'], { description: 'Source of the event: the control plane, or the service of a member.' }),
  userId: Type.Optional(Type.String()),
  receivedAt: Type.String(),
  hash: Type.String({ description: 'SHA-256 over this line and the hash of the previous line.' }),
});
const filter = { since: Type.Optional(time), kind: Type.Optional(kind) };
const reading = {
  query: Type.Object(
    {
      ...filter,
      limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000, description: 'Maximum number of events; default: 100.' })),
      order: Type.Optional(oneOf(['oldest', 'newest'], { description: 'Order of the events; default: oldest first.' })),
      cursor: Type.Optional(Type.Integer({ minimum: 0, description: 'Cursor from the previous page, in the same order.' })),
    },
    strict,
  ),
  reply: Type.Object({
    events: Type.Array(stored),
    cursor: Type.Optional(Type.Integer({ description: 'Cursor of the next page; omitted on the last page.' })),
  }),
};
const kinds = { reply: Type.Object({ kinds: Type.Array(Type.String()) }) };
const exporting = { query: Type.Object(filter, strict) };
const verifying = {
  reply: Type.Object({
    ok: Type.Boolean(),
    events: Type.Integer(),
    head: Type.Optional(Type.String({ description: 'Hash of the newest line.' })),
    brokenAt: Type.Optional(Type.Integer({ description: 'Sequence number of the first line that does not match.' })),
    why: Type.Optional(Type.String()),
  }),
};
const days = Type.Union([Type.Number({ minimum: 0, maximum: 36_500 }), Type.Null()], { description: 'Retention in days; `null` for no limit.' });
const retention = { reply: Type.Object({ days }) };
const keeping = { ...retention, body: Type.Object({ days }, strict) };

export function auditRoutes({ services, makeError }: AuditRouteParts): Route<never>[] {
  const shared = { tag, entitlement: 'team.audit_log' } as const;
  const orgOf = (principal: Parameters<Services['people']['member']>[0]): string => services.people.member(principal).org.id;

  function check(events: readonly { readonly at: string; readonly metrics?: object }[]): void {
    for (const [at, event] of events.entries()) {
      if (Number.isNaN(Date.parse(event.at))) throw makeError('INVALID_REQUEST', { why: `/events/${at}/at is not a valid time.` });
      if (Buffer.byteLength(JSON.stringify(event.metrics ?? {})) > metricsBytes)
        throw makeError('INVALID_REQUEST', { why: `/events/${at}/metrics has more than ${metricsBytes} bytes.` });
    }
  }

  return [
    route({
      ...shared,
      key: 'POST /api/team/audit/events',
      summary: 'Stores events of a service. Events that are already stored are ignored.',
      permission: 'audit.write',
      schema: posting,
      bodyLimit: 10 * 1024 * 1024,
      async handle({ body, principal }) {
        const { person, org } = services.people.member(principal);
        check(body.events);
        return services.audit.report(org.id, person.id, body.events);
      },
    }),
    route({
      ...shared,
      key: 'GET /api/team/audit/events',
      summary: 'Returns a page of the audit log.',
      permission: 'audit.manage',
      schema: reading,
      async handle({ query: { since, kind: ofKind, limit = 100, order, cursor }, principal }) {
        const isNewestFirst = order === 'newest';
        const events = await services.audit.read(orgOf(principal), {
          ...filterOf(since, ofKind),
          isNewestFirst,
          limit: limit + 1,
          ...(cursor === undefined ? {} : isNewestFirst ? { before: cursor } : { after: cursor }),
        });
        const page = events.slice(0, limit);
        const last = page.at(-1);
        return { events: page, ...(events.length > limit && last ? { cursor: last.seq } : {}) };
      },
    }),
    route({
      ...shared,
      key: 'GET /api/team/audit/kinds',
      summary: 'Lists the kinds of events in the audit log.',
      permission: 'audit.manage',
      schema: kinds,
      handle: async ({ principal }) => ({ kinds: [...(await services.audit.kinds(orgOf(principal)))] }),
    }),
    route({
      ...shared,
      key: 'GET /api/team/audit/export',
      summary: 'Exports the whole audit log with one JSON document per line.',
      permission: 'audit.manage',
      schema: exporting,
      isRaw: true,
      mediaType: 'application/x-ndjson',
      async handle({ query: { since, kind: ofKind }, principal, reply }) {
        const member = services.people.member(principal);
        const access = services.people.watchAccess(member);
        const lines = linesOf(services.audit, member.org.id, filterOf(since, ofKind), access.signal);
        const body = Readable.from(lines).once('close', () => void access.dispose());
        await reply
          .header('content-type', 'application/x-ndjson; charset=utf-8')
          .header('content-disposition', 'attachment; filename="audit.ndjson"')
          .header('cache-control', 'no-store')
          .send(body);
      },
    }),
    route({
      ...shared,
      key: 'GET /api/team/audit/verify',
      summary: 'Verifies that the audit log is unchanged.',
      permission: 'audit.manage',
      schema: verifying,
      handle: ({ principal }) => services.audit.verify(orgOf(principal)),
    }),
    route({
      ...shared,
      key: 'GET /api/team/audit/retention',
      summary: 'Returns the retention of the audit log.',
      permission: 'audit.manage',
      schema: retention,
      handle: async ({ principal }) => ({ days: await services.audit.retention(orgOf(principal)) }),
    }),
    route({
      ...shared,
      key: 'PUT /api/team/audit/retention',
      summary: 'Sets the retention of the audit log.',
      // For owners only: audited members must not be able to shorten the visible log.
      schema: keeping,
      async handle({ body, principal }) {
        const { person, org } = services.people.member(principal, 'session');
        await services.audit.record(org.id, { kind: 'audit_retention_changed', userId: person.id, metrics: { days: body.days } });
        await services.audit.keepFor(org.id, body.days);
        return { days: body.days };
      },
    }),
  ];
}

function filterOf(since: string | undefined, kind_: string | undefined): { readonly since?: string; readonly kind?: string } {
  return { ...(since === undefined ? {} : { since }), ...(kind_ === undefined ? {} : { kind: kind_ }) };
}

/** Reads the next page after the previous one has been consumed. */
async function* linesOf(
  audit: Services['audit'],
  orgId: string,
  filter_: { readonly since?: string; readonly kind?: string },
  signal: AbortSignal,
): AsyncGenerator<string> {
  let after = 0;
  for (;;) {
    signal.throwIfAborted();
    const events: readonly AuditEvent[] = await audit.read(orgId, { ...filter_, after, limit: exportPage });
    const last = events.at(-1);
    if (!last) return;
    after = last.seq;
    yield events.map((event) => `${JSON.stringify(event)}\n`).join('');
  }
}

/** Infers the handler's types from the schemas. */
function route<S extends RouteSchema>(definition: Route<S>): Route<never> {
  return definition as unknown as Route<never>;
}

declare module 'agent-harness/builtins/control-plane/plane-serve' {
  interface PlaneRoutes {
    'GET /api/team/audit/events': typeof reading;
    'GET /api/team/audit/kinds': typeof kinds;
    'GET /api/team/audit/verify': typeof verifying;
    'GET /api/team/audit/retention': typeof retention;
    'PUT /api/team/audit/retention': typeof keeping;
  }
}
