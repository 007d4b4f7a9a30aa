// Serves the HTTP routes of notes: list, add, change, delete and restore notes, and decide on pending notes.
import type { Chats, EventLog } from 'agent-harness/plugins/chats';
import type { Route } from 'agent-harness/plugins/http';
import type { Note, NoteEvidence, NotePlace } from './contract.ts';
import type { Memory } from './open-memory.ts';
import { acceptSchema, addSchema, changeSchema, forgetChatSchema, listSchema, pinSchema, pointSchema, wishesSchema, wishPointSchema } from './schemas.ts';

export interface MemoryRouteParts {
  readonly chats: Chats;
  readonly eventLog: EventLog;
  memory(): Promise<Memory>;
}

export function createMemoryRoutes(parts: MemoryRouteParts): Route[] {
  return [...noteRoutes(parts), ...automaticNoteRoutes(parts)];
}

async function placeOf(chats: Chats, asked: { readonly chatId?: string }): Promise<NotePlace> {
  const { chatId, workspaceRoot } = await chats.get(asked.chatId);
  return { chatId, workspaceRoot };
}

function noteRoutes({ chats, memory }: MemoryRouteParts): Route[] {
  return [
    route({
      key: 'GET /api/memory',
      summary: 'Lists the notes of a chat, its workspace, and global ones: active, pending or deleted notes.',
      tag: 'memory',
      permission: 'memory.read',
      schema: listSchema,
      async handle({ query }) {
        const { chatId, workspaceRoot } = await chats.peek(query.chatId);
        const { notes, total } = await (await memory()).store.list({ chatId, workspaceRoot }, query);
        return { notes: notes.map(shown), total };
      },
    }),
    route({
      key: 'POST /api/memory',
      summary: 'Stores a note; it replaces a note with the same type and key.',
      tag: 'memory',
      permission: 'memory.write',
      schema: addSchema,
      status: 201,
      async handle({ body, requestId }) {
        const { chatId: _, type = 'fact', ...note } = body;
        return { note: shown(await (await memory()).store.remember(await placeOf(chats, body), { type, ...note, source: { kind: 'user', ref: requestId } })) };
      },
    }),
    route({
      key: 'PUT /api/memory',
      summary: 'Changes the text of a note if its revision is unchanged.',
      tag: 'memory',
      permission: 'memory.write',
      schema: changeSchema,
      async handle({ body, requestId }) {
        const { value, revision } = body;
        return {
          note: shown(await (await memory()).store.rewrite(await placeOf(chats, body), body, { value, revision, source: { kind: 'user', ref: requestId } })),
        };
      },
    }),
    route({
      key: 'POST /api/memory/forget',
      summary: 'Deletes a note; it can be restored for 30 days.',
      tag: 'memory',
      permission: 'memory.manage',
      schema: pointSchema,
      handle: async ({ body }) => ({ note: shown(await (await memory()).store.forgetOne(await placeOf(chats, body), body)) }),
    }),
    route({
      key: 'POST /api/memory/restore',
      summary: 'Restores a deleted note.',
      tag: 'memory',
      permission: 'memory.manage',
      schema: pointSchema,
      handle: async ({ body }) => ({ note: shown(await (await memory()).store.restore(await placeOf(chats, body), body)) }),
    }),
    route({
      key: 'POST /api/memory/pin',
      summary: 'Pins or unpins a note. Automatic features neither change nor delete a pinned note.',
      tag: 'memory',
      permission: 'memory.manage',
      schema: pinSchema,
      handle: async ({ body }) => ({ note: shown(await (await memory()).store.pin(await placeOf(chats, body), body, body.isPinned)) }),
    }),
  ];
}

/** Returns the routes that accept, reject and block automatic notes. */
function automaticNoteRoutes({ chats, eventLog, memory }: MemoryRouteParts): Route[] {
  return [
    route({
      key: 'POST /api/memory/accept',
      summary: 'Accepts a pending note, optionally with another text, or rejects and deletes it. `never`: automatic notes about its subject are excluded.',
      tag: 'memory',
      permission: 'memory.manage',
      schema: acceptSchema,
      async handle({ body, requestId }) {
        const place = await placeOf(chats, body);
        const open = (await memory()).store;
        const { isAccepted, value, never = false } = body;
        const waiting = await open.peek(place, body.id, body.scope);
        const source = { kind: 'user', ref: requestId } as const;
        const note = await open.accept(place, body, { isAccepted, ...(value === undefined ? {} : { rewritten: { value, source } }) });
        if (!isAccepted && never && waiting) {
          const chatIds = [...new Set((waiting.evidence ?? []).map(({ chatId }) => chatId))];
          await open.never({ id: waiting.replaces ?? waiting.id, value: waiting.value, chatIds });
        }
        return { note: shown(note) };
      },
    }),
    route({
      key: 'GET /api/memory/unwanted',
      summary: 'Lists the subjects that the user excluded from automatic notes.',
      tag: 'memory',
      permission: 'memory.read',
      schema: wishesSchema,
      handle: async () => ({ unwanted: (await (await memory()).store.unwanted()).map(({ id, value, at }) => ({ id, value, at })) }),
    }),
    route({
      key: 'POST /api/memory/unwanted/allow',
      summary: 'Allows automatic notes about a subject again.',
      tag: 'memory',
      permission: 'memory.manage',
      schema: wishPointSchema,
      async handle({ body }) {
        await (await memory()).store.allow(body.id);
        return { ok: true as const };
      },
    }),
    route({
      key: 'POST /api/memory/forget-chat',
      summary: 'Deletes all data derived from a chat so far: notes, pending notes, and quotes in reports. Its messages so far are never used for notes again.',
      tag: 'memory',
      permission: 'memory.manage',
      schema: forgetChatSchema,
      async handle({ body }) {
        const place = await placeOf(chats, body);
        await eventLog.flushed(place.chatId);
        return { forgotten: await (await memory()).forgetChat(place, eventLog.read(place.chatId), { isGone: false }) };
      },
    }),
  ];
}

/** Type-checks each handler against its own schema; the returned type erases the schema. */
function route<S extends Route['schema']>(one: Route<S>): Route {
  return one;
}

type ShownNote = Omit<Note, 'links' | 'source' | 'seal' | 'serial' | 'evidence'> & {
  links: string[];
  source: { kind: Note['source']['kind']; ref: string };
  evidence?: NoteEvidence[];
};

/** Returns a note with mutable lists, which the type of the reply requires. */
function shown(note: Note): ShownNote {
  const { seal: _, serial: __, evidence, ...rest } = note;
  return { ...rest, links: [...note.links], source: { ...note.source }, ...(evidence ? { evidence: evidence.map((one) => ({ ...one })) } : {}) };
}

declare module 'agent-harness/plugins/http' {
  interface Routes {
    'GET /api/memory': typeof listSchema;
    'POST /api/memory': typeof addSchema;
    'PUT /api/memory': typeof changeSchema;
    'POST /api/memory/forget': typeof pointSchema;
    'POST /api/memory/restore': typeof pointSchema;
    'POST /api/memory/accept': typeof acceptSchema;
    'POST /api/memory/pin': typeof pinSchema;
    'GET /api/memory/unwanted': typeof wishesSchema;
    'POST /api/memory/unwanted/allow': typeof wishPointSchema;
    'POST /api/memory/forget-chat': typeof forgetChatSchema;
  }
}
