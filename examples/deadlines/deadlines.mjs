// Tracks deadlines: a tool sets one, an event shows it in the chat, a job sends reminders, and a page lists the open deadlines.
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';

/** @typedef {{ id: string, chatId: string, what: string, dueAt: string, isTold?: boolean, doneAt?: string }} Deadline */

export const manifest = {
  name: 'deadlines',
  requires: ['storage', 'turns'],
  events: ['deadline_changed'],
  config: {
    type: 'object',
    properties: {
      aheadMinutes: {
        type: 'integer',
        default: 0,
        minimum: 0,
        maximum: 10_080,
        env: 'EXAMPLE_DEADLINES_AHEAD',
        tab: 'deadlines',
        title: 'Minutes ahead',
        description: 'How long before a deadline its chat is told, in minutes.',
        apply: 'live',
      },
      pattern: { type: 'string', default: '* * * * *', env: 'EXAMPLE_DEADLINES_PATTERN', description: 'When deadlines are looked at, as a cron pattern.' },
      idleMs: {
        type: 'integer',
        default: 60_000,
        minimum: 0,
        env: 'EXAMPLE_DEADLINES_IDLE_MS',
        description: 'How long no turn runs before the list is tidied.',
      },
      keepDays: {
        type: 'integer',
        default: 30,
        minimum: 0,
        env: 'EXAMPLE_DEADLINES_KEEP',
        description: 'How long one that is done stays in the list, in days.',
      },
    },
  },
  errors: {
    INVALID_DUE: { message: "'{due}' is no time. Give one like 2026-01-31T12:00:00Z.", status: 400 },
    NOT_FOUND: { message: "There is no open deadline '{id}'.", status: 404 },
  },
};

const deadline = {
  type: 'object',
  properties: { id: { type: 'string' }, chatId: { type: 'string' }, what: { type: 'string' }, dueAt: { type: 'string' }, doneAt: { type: 'string' } },
  required: ['id', 'chatId', 'what', 'dueAt'],
};

/** @type {import('agent-harness/kernel').PluginModule<any>['register']} */
export function register(registry, emitter) {
  const { services, config, plugin } = registry;
  const path = () => join(plugin.dataDir, 'deadlines.json');

  /** @returns {Promise<Deadline[]>} sorted by due time */
  const read = async () => (await services.storage.readJson(path(), Array.isArray)) ?? [];
  /** @param {(list: Deadline[]) => Deadline[]} work */
  const change = (work) =>
    services.storage.updateJson(path(), (list = []) => work(list).sort((a, b) => a.dueAt.localeCompare(b.dueAt)), { shape: Array.isArray });

  // The tool: its display, its approval and its result.
  registry.add('tool', {
    name: 'set_deadline',
    description: 'Notes something that has to be done by a time. The chat is told when it is due.',
    input: {
      type: 'object',
      properties: { what: { type: 'string', minLength: 1, maxLength: 200 }, due: { type: 'string', description: 'ISO 8601 with a time zone.' } },
      required: ['what', 'due'],
      additionalProperties: false,
    },
    effects: ['write'],
    isEveryday: true,
    display: { icon: 'calendar', subject: (/** @type {{ what: string }} */ { what }) => what },
    async run({ what, due }, { chatId, turnId }) {
      if (Number.isNaN(Date.parse(due))) throw registry.error('INVALID_DUE', { due });
      const one = { id: randomUUID(), chatId, what, dueAt: new Date(due).toISOString() };
      await change((list) => [...list, one]);
      emitter.emit('deadline_changed', { chatId, turnId, what, dueAt: one.dueAt, change: 'set' });
      return `Noted. This chat is told at ${one.dueAt}.`;
    },
  });
  registry.add('approval_rule', {
    name: 'deadlines',
    decide: ({ tool }) => (tool.name === 'set_deadline' ? { verdict: 'allow', reason: 'Deadlines are listed for the person.' } : undefined),
  });

  // A custom event: stored in the journal and shown as a line in every client.
  registry.add('wire_event', {
    name: 'deadline_changed',
    description: 'A deadline was set, or is done.',
    permission: 'chats.read', // visible to principals with this permission; without one, only to the owner
    schema: {
      type: 'object',
      properties: {
        ...{ chatId: { type: 'string' }, turnId: { type: 'string' }, what: { type: 'string' }, dueAt: { type: 'string' } },
        change: { enum: ['set', 'done'] },
      },
      required: ['chatId', 'what', 'dueAt', 'change'],
    },
    shows: ({ what, dueAt, change: now }) => ({ text: now === 'done' ? `Done: ${what}` : `Deadline: ${what}, ${dueAt.slice(0, 16).replace('T', ' ')} UTC` }),
  });

  // Routes for the page, a panel with an icon, a settings tab, and a field in the configuration reply.
  registry.add('route', {
    key: 'GET /api/deadlines',
    summary: 'Lists deadlines, the one that is due first first.',
    tag: 'examples',
    permission: 'deadlines.read',
    schema: { reply: { type: 'object', properties: { deadlines: { type: 'array', items: deadline } }, required: ['deadlines'] } },
    handle: async () => ({ deadlines: await read() }),
  });
  registry.add('route', {
    key: 'POST /api/deadlines/:id/done',
    summary: 'Says that something is done.',
    tag: 'examples',
    permission: 'deadlines.write',
    schema: { params: { type: 'object', properties: { id: { type: 'string' } }, required: ['id'] }, reply: deadline },
    async handle({ params: { id } }) {
      const doneAt = new Date().toISOString();
      const list = await change((all) => all.map((one) => (one.id === id && one.doneAt === undefined ? { ...one, doneAt } : one)));
      const done = list.find((one) => one.id === id && one.doneAt === doneAt);
      if (!done) throw registry.error('NOT_FOUND', { id });
      emitter.emit('deadline_changed', { chatId: done.chatId, what: done.what, dueAt: done.dueAt, change: 'done' });
      return done;
    },
  });
  registry.add('ui.panel', {
    id: 'deadlines',
    title: 'Deadlines',
    slot: 'panel',
    icon: 'calendar',
    order: 30,
    module: new URL('./deadlines/page.js', import.meta.url).href,
    uses: { routes: ['GET /api/deadlines', 'POST /api/deadlines/:id/done'], events: ['deadline_changed'] },
  });
  registry.add('settings_tab', { id: 'deadlines', title: 'Deadlines' });
  registry.add('reply_section', {
    route: 'GET /api/config',
    name: 'deadlines',
    fields: { type: 'object', properties: { openDeadlines: { type: 'integer' } }, required: ['openDeadlines'] },
    read: async () => ({ openDeadlines: (await read()).filter(({ doneAt }) => doneAt === undefined).length }),
  });

  // A cron job sends reminders under the plugin's name. An idle job deletes old deadlines.
  registry.add('job', {
    name: 'tell-deadlines',
    when: { cron: config.pattern },
    async run({ signal }) {
      const until = new Date(Date.now() + config.aheadMinutes * 60_000).toISOString();
      for (const one of await read()) {
        if (signal.aborted) return;
        if (one.doneAt !== undefined || one.isTold || one.dueAt > until) continue;
        await tell(one);
        await change((list) => list.map((other) => (other.id === one.id ? { ...other, isTold: true } : other)));
      }
    },
  });
  registry.add('job', {
    name: 'tidy-deadlines',
    when: { idleMs: config.idleMs },
    async run() {
      const oldest = new Date(Date.now() - config.keepDays * 86_400_000).toISOString();
      if ((await read()).some(({ doneAt = '~' }) => doneAt < oldest)) await change((list) => list.filter(({ doneAt = '~' }) => doneAt >= oldest));
    },
  });

  /** Sends the reminder. `clientId` prevents a duplicate after a crash between the announcement and the write of `isTold`. @param {Deadline} one */
  async function tell({ id, chatId, what, dueAt }) {
    const origin = { plugin: manifest.name, reason: 'A deadline that you set is due.' };
    try {
      await services.turns.announce({ chatId, text: `${what} (${dueAt.slice(0, 16).replace('T', ' ')} UTC)`, origin, isForModel: true, clientId: id });
    } catch (fault) {
      if (fault.code !== 'CHATS_ERR_NOT_FOUND') throw fault; // the chat was deleted
    }
  }
}
