import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Ajv } from 'ajv';
import { expect, test } from 'vitest';
import packageJson from '../../../../package.json' with { type: 'json' };
import { root } from '../../../helpers/sources.ts';

/** The checks of the editor registry for an entry that npx installs. */
const schema = {
  type: 'object',
  required: ['id', 'name', 'version', 'description', 'distribution'],
  properties: {
    id: { type: 'string', pattern: '^[a-z][a-z0-9-]*$' },
    name: { type: 'string', minLength: 1 },
    version: { type: 'string', pattern: '^[0-9]+\\.[0-9]+\\.[0-9]+' },
    description: { type: 'string', minLength: 1 },
    license: { type: 'string' },
    distribution: {
      type: 'object',
      properties: {
        npx: {
          type: 'object',
          required: ['package'],
          properties: { package: { type: 'string', minLength: 1 }, args: { type: 'array', items: { type: 'string' } } },
          additionalProperties: false,
        },
      },
      minProperties: 1,
      additionalProperties: false,
    },
  },
};

test('generates the editor registry entry from package.json in the required format', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'acp-registry-'));
  const { stdout } = await promisify(execFile)(process.execPath, [join(root, 'test/docs/editor-registry.mjs'), folder]);
  const place = stdout.trim();
  const entry = JSON.parse(await readFile(join(place, 'agent.json'), 'utf8'));
  const check = new Ajv().compile(schema);
  expect(check(entry), JSON.stringify(check.errors)).toBe(true);
  expect(place).toBe(join(folder, entry.id));
  expect(entry).toMatchObject({
    version: packageJson.version,
    license: packageJson.license,
    distribution: { npx: { package: `${packageJson.name}@${packageJson.version}`, args: ['acp'] } },
  });
  // npx runs the command with the name of the package.
  expect(Object.keys(packageJson.bin)).toContain(packageJson.name);
  const icon = await readFile(join(place, 'icon.svg'), 'utf8');
  expect(icon).toMatch(/width="16" height="16" viewBox="0 0 16 16"/);
  expect(new Set([...icon.matchAll(/(?:fill|stroke)="([^"]+)"/g)].map(([, colour]) => colour))).toEqual(new Set(['none', 'currentColor']));
  await rm(folder, { recursive: true });
});
