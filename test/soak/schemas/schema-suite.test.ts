// Runs JSON-Schema-Test-Suite through the MCP tool path: cleans each schema and checks each argument.
// Needs a clone of https://github.com/json-schema-org/JSON-Schema-Test-Suite: `JSON_SCHEMA_TEST_SUITE=FOLDER npm run soak schemas`.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { isRecord, stableJson } from '#lib/values';
import { cleanSchema } from '../../../builtins/connections/mcp/server/clean-schema.ts';
import { portableSchema } from '../../../plugins/models/portable-schema.ts';
import { createWorld, fakeTool } from '../../unit/plugins/tools/fake-world.ts';

interface Group {
  readonly description: string;
  readonly schema: unknown;
  readonly tests: readonly { readonly description: string; readonly data: unknown; readonly valid: boolean }[];
}

const folder = process.env['JSON_SCHEMA_TEST_SUITE'] ?? '';
/** `letThrough`: known gaps, because ids, anchors, patterns and external documents are removed from third-party schemas. */
const drafts = [
  { draft: 'draft2020-12', uri: undefined, letThrough: 36 },
  { draft: 'draft2019-09', uri: 'https://json-schema.org/draft/2019-09/schema', letThrough: 36 },
  { draft: 'draft7', uri: 'http://json-schema.org/draft-07/schema#', letThrough: 36 },
  { draft: 'draft6', uri: 'http://json-schema.org/draft-06/schema#', letThrough: 36 },
  { draft: 'draft4', uri: 'http://json-schema.org/draft-04/schema#', letThrough: 36 },
];
const table: string[] = [];
afterAll(() => void process.stdout.write(`${table.join('\n')}\n`));

/** A dialect defined by a document of the suite. */
const isForeign = ($schema: unknown): boolean => typeof $schema === 'string' && $schema.startsWith('http://localhost');

/** The suite's schema becomes the schema of the argument `value`, so its references are adjusted. */
function move(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(move);
  if (!isRecord(node)) return node;
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => {
      if (key === 'enum' || key === 'const') return [key, value];
      const isPointer = ['$ref', '$dynamicRef', '$recursiveRef'].includes(key) && typeof value === 'string' && /^#(\/|$)/.test(value);
      return [key, isPointer ? `#/properties/value${String(value).slice(1)}` : move(value)];
    }),
  );
}

test.skipIf(folder === '').each(drafts)('$draft: accepts every valid argument', async ({ draft, uri, letThrough }) => {
  const files = readdirSync(join(folder, 'tests', draft)).filter((name) => name.endsWith('.json'));
  const groups = files.flatMap((file) =>
    (JSON.parse(readFileSync(join(folder, 'tests', draft, file), 'utf8')) as Group[]).map((group) => ({ ...group, at: `${file}: ${group.description}` })),
  );
  const cleaned = groups.map(({ schema, ...group }) => {
    const { $schema, ...moved } = isRecord(schema) ? (move(schema) as Record<string, unknown>) : { $schema: '', ...(schema === true ? {} : { not: {} }) };
    const input = {
      ...(uri === undefined ? {} : { $schema: uri }),
      type: 'object',
      properties: { value: isForeign($schema) ? { $schema, ...moved } : moved },
      required: ['value'],
    };
    expect(portableSchema(input)).toMatchObject({ type: 'object' });
    return { ...group, clean: cleanSchema(input) };
  });
  const world = await createWorld({
    tools: cleaned.map(({ clean }, at) => fakeTool(`suite_${at}`, { input: clean.ok ? clean.schema : { type: 'object', properties: {} } })),
  });
  const tools = world.kernel.resolve('tools');
  const found: Record<'right' | 'schemaRefused' | 'validRefused' | 'letThrough' | 'repaired', string[]> = {
    ...{ right: [], schemaRefused: [], validRefused: [], letThrough: [], repaired: [] },
  };
  for (const [at, { clean, tests, at: place }] of cleaned.entries()) {
    for (const { data, valid, description } of tests) {
      const checked = tools.checkArgs(`suite_${at}`, { value: data });
      const isBroken = !clean.ok || (!checked.ok && checked.error.includes('is broken'));
      const isRepaired = checked.ok && stableJson(checked.args) !== stableJson({ value: data });
      const kind = isBroken ? 'schemaRefused' : isRepaired ? 'repaired' : checked.ok === valid ? 'right' : valid ? 'validRefused' : 'letThrough';
      found[kind].push(`${place}: ${description}`);
    }
  }
  await world.close();
  table.push(
    `${draft}: ${Object.entries(found)
      .map(([kind, list]) => `${kind} ${list.length}`)
      .join(', ')}`,
  );
  expect(found.validRefused).toEqual([]);
  expect(found.letThrough.length).toBeLessThanOrEqual(letThrough);
});
