// Notes over HTTP: see, add, change, delete, restore, and decide about what waits.
import type { Chats } from 'agent-harness/plugins/chats';
import type { Route } from 'agent-harness/plugins/http';
import type { Note, NoteEvidence, NotePlace } from './contract.ts';
import type { NoteStore } from './notes/note-store.ts';
import { acceptSchema, addSchema, changeSchema, listSchema, pointSchema } from './schemas.ts';

export interface MemoryRouteParts {
  readonly chats: Chats;
  store(): Promise<NoteStore>;
}

export function createMemoryRoutes({ chats, store }: MemoryRouteParts): Route[] {
  async function placeOf(asked: { readonly chatId?: string }): Promise<NotePlace> {
    const { chatId, workspaceRoot } = await chats.get(asked.chatId);
    return { chatId, workspaceRoot };
  }

  return [
    route({
      key: 'GET /api/memory',
      summary: 'Lists notes of a chat, of its workspace and global ones; those in force, those that wait for a person, or those that were deleted.',
      tag: 'memory',
      permission: 'memory.read',
      schema: listSchema,
      async handle({ query }) {
        const { chatId, workspaceRoot } = await chats.peek(query.chatId);
        const { notes, total } = await (await store()).list({ chatId, workspaceRoot }, query);
        return { notes: notes.map(shown), total };
      },
    }),
    route({
      key: 'POST /api/memory',
      summary: 'Keeps a note; one with the same type and key is replaced.',
      tag: 'memory',
      permission: 'memory.write',
      schema: addSchema,
      status: 201,
      async handle({ body, requestId }) {
        const { chatId: _, type = 'fact', ...note } = body;
        return { note: shown(await (await store()).remember(await placeOf(body), { type, ...note, source: { kind: 'user', ref: requestId } })) };
      },
    }),
    route({
      key: 'PUT /api/memory',
      summary: 'Changes the text of a note that is still in the revision it was read in.',
      tag: 'memory',
      permission: 'memory.write',
      schema: changeSchema,
      async handle({ body, requestId }) {
        const { value, revision } = body;
        return { note: shown(await (await store()).rewrite(await placeOf(body), body, { value, revision, source: { kind: 'user', ref: requestId } })) };
      },
    }),
    route({
      key: 'POST /api/memory/forget',
      summary: 'Deletes a note; it can be restored for 30 days.',
      tag: 'memory',
      permission: 'memory.manage',
      schema: pointSchema,
      handle: async ({ body }) => ({ note: shown(await (await store()).forgetOne(await placeOf(body), body)) }),
    }),
    route({
      key: 'POST /api/memory/restore',
      summary: 'Takes the deletion of a note back.',
      tag: 'memory',
      permission: 'memory.manage',
      schema: pointSchema,
      handle: async ({ body }) => ({ note: shown(await (await store()).restore(await placeOf(body), body)) }),
    }),
    route({
      key: 'POST /api/memory/accept',
      summary: 'Decides about a note that waits: it counts from now on, or is deleted.',
      tag: 'memory',
      permission: 'memory.manage',
      schema: acceptSchema,
      handle: async ({ body }) => ({ note: shown(await (await store()).accept(await placeOf(body), body, { isAccepted: body.isAccepted })) }),
    }),
  ];
}

/** Keeps each route's own types while it is written; a list of routes has none. */
function route<S extends Route['schema']>(one: Route<S>): Route {
  return one;
}

type ShownNote = Omit<Note, 'links' | 'source' | 'seal' | 'serial' | 'evidence'> & {
  links: string[];
  source: { kind: Note['source']['kind']; ref: string };
  evidence?: NoteEvidence[];
};

/** Lists that may be changed, as the reply's type wants them. */
function shown(note: Note): ShownNote {
  const { seal: _, serial: __, evidence, ...rest } = note;
  return { ...rest, links: [...note.links], source: { ...note.source }, ...(evidence ? { evidence: evidence.map((one) => ({ ...one })) } : {}) };
}
