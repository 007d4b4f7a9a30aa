// Builds the routes for an organisation's policy or fleet configuration: read, write, history, rollback and preview.
import * as Type from 'typebox';
import type { TSchema } from 'typebox';
import type { KernelError, Services } from 'agent-harness/kernel';
import type { Route, RouteContext, RouteSchema } from 'agent-harness/plugins/http';
import type { ChangeFeeds } from './change-feeds.ts';
import { differencesOf } from './differences.ts';
import type { DocumentKind, Documents, DocumentVersion } from './documents.ts';
import { strict } from './schemas.ts';
import type { SignedDocuments } from './signed-documents.ts';

export interface DocumentParts {
  readonly kind: DocumentKind;
  /** `/api/team/policy` */
  readonly path: `/${string}`;
  /** Field of requests and replies that contains the document. */
  readonly field: 'policy' | 'config';
  /** Name of the document in messages. */
  readonly title: string;
  readonly schemas: DocumentSchemas;
  readonly entitlement: 'team.policy_governance' | 'team.fleet_config';
  /** Returns the reason why a document is invalid; `undefined` if it is valid. */
  readonly refuse: (body: unknown) => string | undefined;
  preview(before: unknown, after: unknown, orgId: string): Promise<unknown>;
  readonly documents: Documents;
  readonly signed: SignedDocuments;
  readonly feeds: ChangeFeeds;
  readonly services: Pick<Services, 'people' | 'audit'>;
  readonly makeError: (reason: 'REVISION_CONFLICT' | 'INVALID_REQUEST' | 'NOT_FOUND', details: Readonly<Record<string, unknown>>) => KernelError;
}

const revision = Type.Integer({ minimum: 0 });
const row = Type.Object({
  revision,
  by: Type.Object({ userId: Type.String(), email: Type.String() }),
  at: Type.String(),
  differences: Type.Array(Type.Object({ path: Type.String(), before: Type.Optional(Type.Unknown()), after: Type.Optional(Type.Unknown()) })),
});
/** Maximum number of versions in one page of the history. */
const historyLimit = 50;

type Schemas = ReturnType<typeof documentSchemas<'policy', TSchema, TSchema>>;
/** Schemas of any document, independent of the field that contains it. */
type DocumentSchemas = Pick<Schemas, 'rolling' | 'listing'> & {
  readonly reading: { readonly reply: TSchema };
  readonly writing: { readonly body: TSchema; readonly reply: Schemas['writing']['reply'] };
  readonly one: Pick<Schemas['one'], 'params'> & { readonly reply: TSchema };
  readonly previewing: { readonly body: TSchema; readonly reply: TSchema };
};

/**
 * Builds the schemas of one document's routes.
 * @param field field that contains the document
 * @param document schema of the document
 * @param preview schema of the preview's reply
 */
export function documentSchemas<F extends DocumentParts['field'], D extends TSchema, P extends TSchema>(kind: DocumentKind, field: F, document: D, preview: P) {
  const given = { [field]: document } as { readonly [K in F]: D };
  const base = Type.Integer({ minimum: 0, description: 'Revision on which the change is based; 0 for the first version.' });
  const to = Type.Integer({ minimum: 0, description: 'Revision whose content is published as a new revision.' });
  return {
    reading: { reply: Type.Object({ revision, ...given, signature: Type.String({ description: `Compact JWS of type ${kind}+jws.` }) }) },
    writing: { body: Type.Object({ base, ...given }, strict), reply: Type.Object({ revision }) },
    rolling: { body: Type.Object({ base, to }, strict), reply: Type.Object({ revision }) },
    listing: {
      query: Type.Object({ before: Type.Optional(Type.Integer({ minimum: 1, description: 'Cursor from the previous page.' })) }, strict),
      reply: Type.Object({ versions: Type.Array(row), before: Type.Optional(Type.Integer()) }),
    },
    one: { params: Type.Object({ revision: Type.Integer({ minimum: 0 }) }), reply: Type.Object({ revision, ...given }) },
    previewing: { body: Type.Object(given, strict), reply: preview },
  };
}

export function documentRoutes(parts: DocumentParts): Route<never>[] {
  const { kind, path, field, title, documents, signed, feeds, services, makeError } = parts;
  const shared = { tag: 'team', entitlement: parts.entitlement } as const;
  const areas = { read: `${kind}.read`, manage: `${kind}.manage` } as const;
  const { reading, writing, rolling, listing, one, previewing } = parts.schemas;

  const memberOf = ({ principal }: Pick<RouteContext, 'principal'>): ReturnType<Services['people']['member']> => services.people.member(principal);

  async function write(context: Pick<RouteContext, 'principal'>, from: number, body: unknown, act: string, more: object = {}): Promise<{ revision: number }> {
    const { org, person } = memberOf(context);
    const why = parts.refuse(body);
    if (why !== undefined) throw makeError('INVALID_REQUEST', { what: title, why });
    const done = await documents.write(org.id, kind, { base: from, body, userId: person.id, email: person.email }, (now, transaction) =>
      services.audit.record(org.id, { kind: act, userId: person.id, metrics: { revision: now, ...more } }, transaction),
    );
    if ('conflict' in done) throw makeError('REVISION_CONFLICT', { what: title, revision: done.conflict, base: from });
    feeds.announce(org.id);
    return done;
  }

  async function versionOf(orgId: string, number: number): Promise<Pick<DocumentVersion, 'revision' | 'body'>> {
    const found = number === 0 ? { revision: 0, body: {} } : await documents.version(orgId, kind, number);
    if (!found) throw makeError('NOT_FOUND', { what: title, revision: number });
    return found;
  }

  return [
    route({
      ...shared,
      key: `GET ${path}`,
      summary: `Returns the signed ${title} of the organisation.`,
      permission: areas.read,
      schema: reading,
      async handle(context) {
        const member = memberOf(context);
        const version = await documents.current(member.org.id, kind);
        const tag = signed.tag(kind, version, member);
        const { reply, headers } = context;
        void reply.header('etag', tag).header('cache-control', 'no-cache').header('vary', 'authorization, cookie');
        if (matchesTag(headers['if-none-match'], tag)) {
          void reply.code(304).send();
          return undefined;
        }
        return { revision: version.revision, [field]: version.body, signature: await signed.sign(kind, version, member) };
      },
    }),
    route({
      ...shared,
      key: `PUT ${path}`,
      summary: `Replaces the ${title}; rejected if another administrator has changed it meanwhile.`,
      permission: areas.manage,
      schema: writing,
      handle(context) {
        const given = context.body as Readonly<Record<string, unknown>>;
        return write(context, given['base'] as number, given[field], `${kind}_changed`);
      },
    }),
    route({
      ...shared,
      key: `GET ${path}/history`,
      summary: `Lists the changes of the ${title} with author and time, newest first.`,
      permission: areas.manage,
      schema: listing,
      async handle(context) {
        const { org } = memberOf(context);
        const versions = await documents.history(org.id, kind, context.query.before ?? Number.MAX_SAFE_INTEGER, historyLimit + 1);
        const bodyBefore = (at: number): unknown => versions[at + 1]?.body ?? {};
        const shown = versions.slice(0, historyLimit).map(({ by, at, body, revision: number }, index) => ({
          ...{ revision: number, by, at: at.toISOString() },
          differences: differencesOf(bodyBefore(index), body),
        }));
        const last = shown.at(-1);
        return { versions: shown, ...(versions.length > historyLimit && last ? { before: last.revision } : {}) };
      },
    }),
    route({
      ...shared,
      key: `GET ${path}/history/:revision`,
      summary: `Returns an earlier version of the ${title}.`,
      permission: areas.manage,
      schema: one,
      async handle(context) {
        const version = await versionOf(memberOf(context).org.id, Number(context.params.revision));
        return { revision: version.revision, [field]: version.body };
      },
    }),
    route({
      ...shared,
      key: `POST ${path}/rollback`,
      summary: `Publishes an earlier version of the ${title} as the newest one.`,
      permission: areas.manage,
      schema: rolling,
      async handle(context) {
        const { base: from, to } = context.body;
        const { body } = await versionOf(memberOf(context).org.id, to);
        return write(context, from, body, `${kind}_rolled_back`, { to });
      },
    }),
    route({
      ...shared,
      key: `POST ${path}/preview`,
      summary: `Previews the members that another ${title} would affect; changes nothing.`,
      permission: areas.manage,
      schema: previewing,
      async handle(context) {
        const { org } = memberOf(context);
        const body = (context.body as Readonly<Record<string, unknown>>)[field];
        const why = parts.refuse(body);
        if (why !== undefined) throw makeError('INVALID_REQUEST', { what: title, why });
        return await parts.preview((await documents.current(org.id, kind)).body, body, org.id);
      },
    }),
  ];
}

/** Returns whether the header `If-None-Match` (RFC 9110) contains `*` or the tag, which may be marked as weak. */
function matchesTag(header: string | undefined, tag: string): boolean {
  return header !== undefined && header.split(',').some((one) => ['*', tag].includes(one.trim().replace(/^W\//, '')));
}

/** Infers the handler's types from the schemas. */
export function route<S extends RouteSchema>(definition: Route<S>): Route<never> {
  return definition as unknown as Route<never>;
}
