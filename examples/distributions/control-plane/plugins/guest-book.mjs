// A guest book: each member writes one line. Members read the lines of their own organisation only.

/** @type {import('agent-harness/kernel').PluginManifest} */
export const manifest = { name: 'guest-book', requires: ['database', 'people'] };

const line = { type: 'string', minLength: 1, maxLength: 200 };
const entry = { type: 'object', properties: { line }, required: ['line'], additionalProperties: false };

/** @type {import('agent-harness/kernel').PluginModule<any>['register']} */
export function register(registry) {
  const { database, people } = registry.services;
  registry.add('migration', {
    number: 1,
    name: 'guest-line',
    sql: 'create table guest_line (org_id text not null, user_id text not null, line text not null, primary key (org_id, user_id))',
  });
  registry.add('route', {
    key: 'GET /api/guest-book',
    summary: 'What the members wrote.',
    tag: 'guest book',
    permission: 'guest_book.read',
    schema: { reply: { type: 'object', properties: { lines: { type: 'array', items: line } } } },
    async handle({ principal }) {
      const { org } = people.member(principal);
      const rows = await database.query('select line from guest_line where org_id = $1 order by user_id', [org.id]);
      return { lines: rows.map((row) => row.line) };
    },
  });
  registry.add('route', {
    key: 'PUT /api/guest-book',
    summary: 'Writes the line of whoever asks.',
    tag: 'guest book',
    permission: 'guest_book.write',
    schema: { body: entry, reply: entry },
    async handle({ principal, body }) {
      const { org, person } = people.member(principal);
      const sql = 'insert into guest_line values ($1, $2, $3) on conflict (org_id, user_id) do update set line = excluded.line';
      await database.query(sql, [org.id, person.id, body.line]);
      return { line: body.line };
    },
  });
  registry.add('plane_metric', {
    name: 'plane_guest_lines',
    help: 'Lines in guest books.',
    type: 'gauge',
    read: async () => (await database.query('select count(*) as count from guest_line', []))[0].count,
  });
}
