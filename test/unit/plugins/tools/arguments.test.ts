import { describe, expect, test } from 'vitest';
import { createWorld, fakeTool } from './fake-world.ts';
import { useAll } from '../../../helpers/use-opened.ts';

const input = {
  type: 'object',
  properties: {
    path: { type: 'string', minLength: 1, description: 'the file' },
    limit: { type: 'integer', minimum: 1, maximum: 10, default: 5 },
    mode: { anyOf: [{ const: 'create' }, { const: 'append' }] },
    isDeep: { type: 'boolean' },
    edits: {
      type: 'array',
      items: { type: 'object', properties: { search: { type: 'string' }, all: { type: 'boolean' }, note: { type: 'string' } }, required: ['search'] },
    },
    since: { type: 'string', format: 'date-time' },
    at: { type: 'object', properties: { line: { type: 'integer' } } },
    tags: { anyOf: [{ type: 'boolean' }, { type: 'array', items: { type: 'string' } }] },
  },
  required: ['path'],
  additionalProperties: false,
};

const check = (argsText: string, name = 'read_file'): any => world.kernel.resolve('tools').check(name, argsText);

const world = useAll(() =>
  createWorld({
    tools: [
      fakeTool('read_file', { input }),
      fakeTool('write_file'),
      fakeTool('free', { input: { type: 'object', properties: { a: {} }, additionalProperties: true } }),
      fakeTool('broken', { input: { type: 'object', properties: { a: { type: 'strin' } } } }),
      fakeTool('imported', {
        input: { $schema: 'https://json-schema.org/draft/2020-12/schema', $id: 'same', type: 'object', properties: { a: { type: 'string', format: 'odd' } } },
      }),
      fakeTool('imported_too', { input: { $id: 'same', type: 'object', properties: {} } }),
    ],
  }),
);

describe('arguments text', () => {
  test('rejects extremely deep nesting without throwing', () => {
    for (const depth of [300, 100_000]) {
      const text = `{"path":"a","edits":${'['.repeat(depth)}${']'.repeat(depth)}}`;
      expect(check(text)).toMatchObject({ ok: false, error: expect.stringContaining('nested more than 200 levels') });
    }
  });
  test('reports a call without arguments text as truncated', () => {
    for (const name of ['read_file', 'write_file'])
      expect(check('', name)).toMatchObject({ ok: false, error: expect.stringContaining('arguments are missing') });
  });

  test('reads whitespace and null as no arguments', () => {
    expect(check('  ', 'write_file')).toMatchObject({ ok: true, args: {} });
    expect(check('null', 'write_file')).toMatchObject({ ok: true, args: {} });
  });

  test('distinguishes truncated text from invalid text', () => {
    for (const text of ['{"path": "a', '{"path": "a"', '{"path":', '{']) expect(check(text).error).toContain('cut off');
    expect(check('{"path": "a"} and more')).toMatchObject({ ok: false, error: expect.stringMatching(/followed by more text at character \d+: "and more"/) });
    expect(check('{"path": "a\nb"}').hint).toContain('\\n');
    expect(check("{'path': 1}").error).toContain('not valid JSON');
  });

  test('half a surrogate pair becomes U+FFFD in names, in JSON text and in error messages', () => {
    expect(check('{"a": "\\ud99c x", "\\ude00": "\\ud83d\\ude00"}', 'free').args).toEqual({ a: '\ufffd x', '\ufffd': '😀' });
    expect(check('{"path": "a", "edits": "[{\\"search\\": \\"\\\\ud83d\\"}]"}').args.edits).toEqual([{ search: '\ufffd' }]);
    const smile = '😀'.repeat(200);
    for (const said of [
      check('{}', `x${smile}`),
      check(`{"path": "a", "mode": "x${smile}"}`),
      check(`{"path": "a"} x${smile}`),
      check(`{"path": "a" x${smile}}`),
    ]) {
      expect(said.ok).toBe(false);
      expect(said.error).not.toMatch(/\p{Surrogate}/u);
    }
  });

  test('rejects anything but an object', () => {
    expect(check('["a"]').error).toContain('not an array');
    expect(check('"{}"').error).toContain('not a string');
  });
});

describe('argument values', () => {
  test('accepts valid arguments and fills in schema defaults', () => {
    expect(check('{"path": "a"}')).toMatchObject({ ok: true, args: { path: 'a', limit: 5 }, tool: { name: 'read_file', plugin: 'kit' } });
  });

  test('reports each wrong argument by its pointer and the expected value', () => {
    const { error } = check('{"limit": 50, "mode": "x", "edits": [{}]}');
    expect(error).toContain('/path is missing: a string (the file)');
    expect(error).toContain('/limit must be <= 10');
    expect(error).toContain('/mode must be "create" or "append", not "x"');
    expect(error).toContain('/edits/0/search is missing: a string');
    expect(error.split('\n')).toHaveLength(5);
  });

  test('rejects an unknown argument with the allowed list if the schema is closed, else passes it on', () => {
    expect(check('{"path": "a", "pth": 1}').error).toContain('/pth is not an argument; allowed are path, limit, mode, isDeep, edits, since, at, tags');
    expect(check('{"b": 1}', 'free')).toMatchObject({ ok: true, args: { b: 1 } });
    expect(check('{"a": "x", "b": { "c": 1 }}', 'imported')).toMatchObject({ ok: true, args: { a: 'x', b: { c: 1 } } });
  });

  test('converts text to numbers and booleans, and rejects other text', () => {
    expect(check('{"path": 7, "limit": "3", "isDeep": "true"}')).toMatchObject({ ok: true, args: { path: '7', limit: 3, isDeep: true } });
    for (const args of ['{"path": null}', '{"path": true}', '{"path": "a", "limit": "3.5"}', '{"path": "a", "isDeep": 1}', '{"path": ""}'])
      expect(check(args).ok, args).toBe(false);
  });

  const edits = [{ search: 'a "b"' }, { search: 'c' }];
  test.each<[string, object, object]>([
    ['a list as text', { edits: JSON.stringify(edits) }, { edits }],
    ['a list of texts', { edits: edits.map((one) => JSON.stringify(one)) }, { edits }],
    ['a text list as text', { edits: JSON.stringify(edits.map((one) => JSON.stringify(one))) }, { edits }],
    ['one object', { edits: edits[0] }, { edits: [edits[0]] }],
    ['one object as text', { edits: JSON.stringify(edits[0]) }, { edits: [edits[0]] }],
    ['null for an optional value', { edits: null, limit: null, mode: null, isDeep: null }, {}],
    ['empty text for an optional value', { edits: '', limit: '', mode: '', isDeep: '' }, {}],
    ['empty text for a value with a format', { since: '' }, {}],
    ['nested null', { edits: [{ search: 'a', all: null, note: '' }] }, { edits: [{ search: 'a', note: '' }] }],
    ['an object as text', { at: '{"line":"3"}' }, { at: { line: 3 } }],
    ['text for a union branch', { tags: '["a"]' }, { tags: ['a'] }],
  ])('repairs %s from a model', (_, args, expected) => {
    expect(check(JSON.stringify({ path: 'a', ...args }))).toMatchObject({ ok: true, args: { path: 'a', limit: 5, ...expected } });
    expect(Object.keys(check(JSON.stringify({ path: 'a', ...args })).args).sort()).toEqual(Object.keys({ path: 'a', limit: 5, ...expected }).sort());
  });

  test.each<[string, object]>([
    ['null for a required value', { path: null }],
    ['empty text for a required value', { edits: [{ search: null }] }],
    ['null in a list', { edits: [null] }],
    ['text that is not JSON', { edits: '[{"search": "a"' }],
    ['a list instead of one object', { at: [{ line: 1 }] }],
    ['an object instead of a list of texts', { tags: { a: 1 } }],
  ])('rejects %s', (_, args) => {
    expect(check(JSON.stringify({ path: 'a', ...args })).ok).toBe(false);
  });

  test('never repairs valid arguments or those edited by the user', () => {
    expect(check('{"a": "[1]", "b": null, "c": ""}', 'free').args).toEqual({ a: '[1]', b: null, c: '' });
    for (const args of [{ limit: null }, { mode: '' }, { edits: '[]' }, { edits: edits[0] }]) {
      expect(world.kernel.resolve('tools').checkArgs('read_file', { path: 'a', ...args }).ok).toBe(false);
    }
  });

  test('rejects prototype names inside a JSON text', () => {
    expect(check('{"path": "a", "at": "{\\"line\\": 1, \\"__proto__\\": 1}"}').error).toContain("'__proto__'");
  });

  test('rejects prototype names at any depth', () => {
    expect(check('{"__proto__": {"x": 1}}', 'free').error).toContain("'__proto__'");
    expect(check('{"a": [{"__proto__": 1}]}', 'free').error).toContain("'__proto__'");
  });

  test('validates parsed arguments the same way without modifying them', () => {
    const args = { path: 'a', limit: '3' };
    expect(world.kernel.resolve('tools').checkArgs('read_file', args)).toMatchObject({ ok: true, args: { limit: 3 } });
    expect(args).toEqual({ path: 'a', limit: '3' });
    expect(world.kernel.resolve('tools').checkArgs('read_file', 'text').ok).toBe(false);
  });
});

test('suggests the closest names for an unknown tool', () => {
  expect(check('{}', 'readFile')).toMatchObject({ ok: false, hint: expect.stringContaining('read_file') });
  expect(check('{}', 'zzzzzzzzzzzzzz').hint).toContain('described');
});

test('blames the plugin for a schema that cannot be compiled', () => {
  expect(check('{}', 'broken').error).toContain('plugin kit');
});

test('supports schemas of other drafts with formats and ids', () => {
  expect(check('{"a": "x"}', 'imported').ok).toBe(true);
  expect(check('{}', 'imported_too').ok).toBe(true);
});

test('fills defaults into model arguments, but not into user-edited ones', () => {
  expect(check('{"path":"a"}').args).toEqual({ path: 'a', limit: 5 });
  expect(world.kernel.resolve('tools').checkArgs('read_file', { path: 'a' })).toMatchObject({ ok: true, args: { path: 'a' } });
  expect((world.kernel.resolve('tools').checkArgs('read_file', { path: 'a' }) as any).args).not.toHaveProperty('limit');
});

test('cuts off a slow pattern and names its tool and plugin', async () => {
  const slow = { type: 'object', properties: { a: { type: 'string', pattern: '^(a+)+$' }, b: { type: 'string', pattern: '^b$' } } };
  const other = await createWorld({ tools: [fakeTool('slow', { input: slow })] });
  const ask = (args: object): any => other.kernel.resolve('tools').check('slow', JSON.stringify(args));
  expect(ask({ a: `${'a'.repeat(60)}!` })).toMatchObject({
    ok: false,
    error: expect.stringMatching(/slow \(plugin kit\).*\^\(a\+\)\+\$ takes more than 1000 ms/),
  });
  expect(ask({ a: 'aaa', b: 'b' })).toMatchObject({ ok: true });
  expect(ask({ b: 'c' })).toMatchObject({ ok: false });
  await other.close();
});
