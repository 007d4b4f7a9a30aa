// A view: books with states, a form that adds one, and a chart, for the web UI, the terminal, editors and the command line.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export const manifest = {
  name: 'reading-list',
  errors: { NO_SUCH: { message: "There is no book '{row}' any more.", status: 404 } },
};

/** @type {import('agent-harness/kernel').PluginModule['register']} */
export function register(registry) {
  const file = join(registry.plugin.dataDir, 'books.json');
  const read = () => readFile(file, 'utf8').then(JSON.parse, () => []);
  async function write(books) {
    await mkdir(registry.plugin.dataDir, { recursive: true });
    await writeFile(file, JSON.stringify(books));
  }

  registry.add('view', {
    name: 'reading-list',
    title: 'Reading list',
    description: 'Books, and how far you are.',
    icon: 'list',
    permission: 'chats.read',
    actPermission: 'chats.write',
    async read() {
      const books = await read();
      const isRead = (book) => book.at >= book.pages;
      return {
        blocks: [
          {
            kind: 'table',
            columns: [{ title: 'Book' }, { title: 'Pages', kind: 'number' }, { title: 'Read', kind: 'state' }],
            rows: books.map((book) => ({
              id: book.id,
              cells: [book.title, book.pages, isRead(book) ? 'done' : book.at > 0 ? 'active' : 'pending'],
              ...(isRead(book) ? { actions: ['remove'] } : {}),
            })),
            rowActions: [
              { id: 'finish', label: 'I read it' },
              { id: 'remove', label: 'Remove', kind: 'danger', confirm: 'Take this book off the list?' },
            ],
          },
          {
            kind: 'chart',
            title: 'Pages',
            form: 'bars',
            labels: books.map((book) => book.title),
            series: [
              { title: 'Read', values: books.map((book) => book.at) },
              { title: 'To go', values: books.map((book) => Math.max(0, book.pages - book.at)) },
            ],
          },
          { kind: 'form', title: 'Another book', action: 'add' },
        ],
        actions: [
          {
            id: 'add',
            label: 'Add',
            kind: 'primary',
            input: {
              type: 'object',
              properties: {
                title: { type: 'string', title: 'Title', minLength: 1, maxLength: 200 },
                pages: { type: 'integer', title: 'Pages', minimum: 1, maximum: 10_000, default: 300 },
                begun: { type: 'boolean', title: 'I have begun it' },
              },
              required: ['title'],
            },
          },
        ],
      };
    },
    async act({ action, row, input }) {
      const books = await read();
      const book = books.find(({ id }) => id === row);
      if (action === 'add') {
        const number = 1 + Math.max(0, ...books.map(({ id }) => Number(id.slice(1))));
        await write([...books, { id: `b${number}`, title: input.title, pages: input.pages, at: input.begun ? 1 : 0 }]);
        return { message: `“${input.title}” is on the list.` };
      }
      if (!book) throw registry.error('NO_SUCH', { row });
      if (action === 'finish') book.at = book.pages;
      await write(action === 'remove' ? books.filter((one) => one !== book) : books);
    },
  });
}
