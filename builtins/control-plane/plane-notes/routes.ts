// Serves synchronised notes over HTTP: a user's own sets, and those of their organisation.
import { Readable } from 'node:stream';
import type { KernelError, Services } from 'agent-harness/kernel';
import { exchangeLimits } from '#lib/copies';
import type { Member } from 'agent-harness/builtins/control-plane/plane-people';
import type { Permission, Principal, Route, RouteContext, RouteSchema } from 'agent-harness/plugins/http';
import { shownRow } from './decide.ts';
import type { NoteSets, SetName } from './note-sets.ts';
import { emptying, listing, looking, reading, writing } from './schemas.ts';

export type NotesError = 'REVISION_CONFLICT' | 'MUTATION_OUT_OF_ORDER' | 'TOO_LARGE' | 'INVALID_REQUEST' | 'CHAT_SCOPED';

export interface NotesRouteParts {
  readonly people: Services['people'];
  readonly sets: NoteSets;
  readonly makeError: (reason: NotesError, details?: Readonly<Record<string, unknown>>) => KernelError;
}

interface Area {
  readonly path: `/api/${string}`;
  readonly tag: string;
  readonly entitlement: 'pro.cloud_sync' | 'team.shared_memory';
  readonly isShared: boolean;
  readonly what: string;
  readonly read: Permission;
  readonly write: Permission;
  readonly empty: Permission;
}

const areas: readonly Area[] = [
  {
    ...{ path: '/api/pro/cloud_sync/notes', tag: 'pro', entitlement: 'pro.cloud_sync', isShared: false, what: "a person's own notes" },
    // These sets belong to the user, whatever their role in the organisation.
    ...{ read: 'own_notes.read', write: 'own_notes.read', empty: 'own_notes.read' },
  },
  {
    ...{ path: '/api/team/memory/notes', tag: 'team', entitlement: 'team.shared_memory', isShared: true, what: "the organisation's notes" },
    ...{ read: 'team_notes.read', write: 'team_notes.write', empty: 'team_notes.manage' },
  },
];

export function notesRoutes(parts: NotesRouteParts): Route<never>[] {
  return areas.flatMap((area) => routesOf(area, parts));
}

function routesOf({ path, tag, entitlement, isShared, what, read, write, empty }: Area, { people, sets, makeError }: NotesRouteParts): Route<never>[] {
  const shared = { tag, entitlement } as const;
  const ownerOf = ({ org, person }: Member): Omit<SetName, 'workspace'> => ({ orgId: org.id, ...(isShared ? {} : { userId: person.id }) });
  const memberOf = (principal: Principal | undefined): Member => people.member(principal);

  function setOf(member: Member, { workspace, scope }: { readonly workspace: string; readonly scope?: string }): SetName {
    if (scope === 'chat' || workspace.startsWith('chat_')) throw makeError('CHAT_SCOPED');
    return { ...ownerOf(member), workspace };
  }

  return [
    route({
      ...shared,
      key: `GET ${path}`,
      summary: `Returns the changes of ${what} since a revision.`,
      permission: read,
      schema: reading,
      async handle({ query: { workspace, scope, since, mark, whole }, principal, headers, reply }) {
        const answer = await sets.read(setOf(memberOf(principal), { workspace, ...(scope === undefined ? {} : { scope }) }), {
          ...(since === undefined ? {} : { since }),
          ...(mark === undefined ? {} : { mark }),
          ...(whole === undefined ? {} : { isWhole: whole }),
        });
        if (since === answer.revision && !answer.reset) {
          const tag304 = `"${answer.revision}-${answer.mark ?? ''}"`;
          void reply.header('etag', tag304);
          if (headers['if-none-match'] === tag304) void reply.code(304).send();
        }
        return answer as never;
      },
    }),
    route({
      ...shared,
      key: `PUT ${path}`,
      summary: `Applies a change to ${what} completely, or not at all if another service changed one of the notes.`,
      permission: write,
      schema: writing,
      async handle({ query, body, principal, ...context }) {
        const member = memberOf(principal);
        const set = setOf(member, { workspace: query.workspace, scope: body.scope ?? query.scope ?? '' });
        checkChange(body, makeError);
        const { scope: _, ...change } = body;
        const by = { userId: member.person.id, email: member.person.email };
        const answer = await sets.write(set, by, change);
        switch (answer.what) {
          case 'done':
            return {
              revision: answer.revision,
              ...(answer.mark === undefined ? {} : { mark: answer.mark }),
              rows: answer.rows.map((row) => shownRow(row, isShared)) as never,
            };
          case 'conflict':
            return conflict(context, makeError('REVISION_CONFLICT'), {
              revision: answer.revision,
              changed: answer.changed.map((row) => shownRow(row, isShared)),
            });
          case 'reset':
            return conflict(context, makeError('REVISION_CONFLICT'), { revision: answer.revision, changed: [], reset: true });
          case 'out_of_order':
            throw makeError('MUTATION_OUT_OF_ORDER');
          case 'full':
            throw makeError('TOO_LARGE', { what: 'the set', limit: answer.limit });
        }
      },
    }),
    route({
      ...shared,
      key: `GET ${path}/history`,
      summary: 'Lists the versions of a note from the last 30 days, with their authors.',
      permission: read,
      schema: looking,
      handle: async ({ query: { workspace, key }, principal }) => ({ versions: await sets.history(setOf(memberOf(principal), { workspace }), key) }),
    }),
    route({
      ...shared,
      key: `GET ${path}/sets`,
      summary: 'Lists the workspaces with notes.',
      permission: read,
      schema: listing,
      handle: async ({ principal }) => ({ sets: [...(await sets.list(ownerOf(memberOf(principal))))] }),
    }),
    route({
      ...shared,
      key: `GET ${path}/export`,
      summary: 'Exports all notes with one JSON document per line.',
      permission: read,
      schema: {},
      isRaw: true,
      mediaType: 'application/x-ndjson',
      handle({ principal, reply }) {
        const member = memberOf(principal);
        const access = people.watchAccess(member);
        const lines = Readable.from(exported(sets, ownerOf(member), isShared, access.signal)).once('close', () => void access.dispose());
        return reply
          .header('content-type', 'application/x-ndjson; charset=utf-8')
          .header('content-disposition', 'attachment; filename="notes.ndjson"')
          .send(lines);
      },
    }),
    route({
      ...shared,
      key: `DELETE ${path}`,
      summary: `Removes ${what} from this control plane, for one workspace or all. Copies on other machines remain.`,
      permission: empty,
      schema: emptying,
      handle: async ({ query: { workspace }, principal }) => ({
        removed: await sets.empty({ ...ownerOf(memberOf(principal)), ...(workspace === undefined ? {} : { workspace }) }),
      }),
    }),
  ];
}

async function* exported(sets: NoteSets, owner: Omit<SetName, 'workspace'>, isShared: boolean, signal: AbortSignal): AsyncGenerator<string> {
  for (const { workspace } of await sets.list(owner)) {
    for (let since = 0; !signal.aborted;) {
      const page = await sets.read({ ...owner, workspace }, { since, isWhole: true });
      yield page.notes.map((note) => `${JSON.stringify({ workspace, ...note, ...(isShared ? {} : { by: undefined }) })}\n`).join('');
      if (!page.more) break;
      since = page.revision;
    }
  }
}

function checkChange({ upserts, tombstones }: RouteContext<typeof writing>['body'], makeError: NotesRouteParts['makeError']): void {
  const entries = [...upserts, ...tombstones];
  if (entries.length > exchangeLimits.entries) throw makeError('TOO_LARGE', { what: 'the entries of a change', limit: exchangeLimits.entries });
  const keys = new Set<string>();
  for (const entry of entries) {
    const { key } = entry;
    if (key.length > exchangeLimits.key) throw makeError('TOO_LARGE', { what: 'a key', limit: exchangeLimits.key });
    if ('value' in entry && entry.value.length > exchangeLimits.value)
      throw makeError('TOO_LARGE', { what: `the value of ${key}`, limit: exchangeLimits.value });
    if (keys.has(key)) throw makeError('INVALID_REQUEST', { why: `the key ${key} occurs more than once.` });
    if (Number.isNaN(Date.parse('deletedAt' in entry ? entry.deletedAt : entry.updatedAt)))
      throw makeError('INVALID_REQUEST', { why: `the time of ${key} is not valid.` });
    // The database cannot store NUL or an unpaired surrogate.
    const text = JSON.stringify(entry);
    if (/\\u0000|\\ud[89a-f]/i.test(text.replaceAll('\\\\', '')))
      throw makeError('INVALID_REQUEST', { why: `${key} contains NUL or half of a surrogate pair.` });
    keys.add(key);
  }
}

/** Replies with a conflict: the error, and the rows that the copy needs to continue. */
function conflict({ reply, requestId }: Pick<RouteContext, 'reply' | 'requestId'>, { message }: KernelError, beside: object): never {
  const body = { error: { code: 'revision_conflict', message, requestId }, ...beside };
  return reply.code(409).header('content-type', 'application/json; charset=utf-8').send(JSON.stringify(body)) as never;
}

/** Checks each route against its own schema, then erases the schema from the type so that routes fit into one array. */
function route<S extends RouteSchema>(one: Route<S>): Route<never> {
  return one as unknown as Route<never>;
}

declare module 'agent-harness/builtins/control-plane/plane-serve' {
  interface PlaneRoutes {
    'GET /api/team/memory/notes': typeof reading;
    'PUT /api/team/memory/notes': typeof writing;
    'GET /api/team/memory/notes/history': typeof looking;
    'GET /api/team/memory/notes/sets': typeof listing;
  }
}
