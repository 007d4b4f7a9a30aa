// Checks that every locked package accepts the oldest supported Node version.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { minVersion, satisfies } from 'semver';
import { expect, test } from 'vitest';
import { root } from '../../helpers/sources.ts';

interface LockedPackage {
  readonly version?: string;
  readonly engines?: { readonly node?: string };
}

const lock = JSON.parse(readFileSync(join(root, 'npm-shrinkwrap.json'), 'utf8')) as { readonly packages: Readonly<Record<string, LockedPackage>> };
const oldestNode = minVersion(lock.packages['']?.engines?.node ?? '')?.version ?? '';

test('the oldest supported Node version is 20.19.0', () => {
  expect(oldestNode).toBe('20.19.0');
});

test('the engines of every locked package accept the oldest supported Node version', () => {
  const rejecting = Object.entries(lock.packages).flatMap(([path, { version, engines }]) => {
    const range = engines?.node;
    return range === undefined || satisfies(oldestNode, range) ? [] : [`${path.replace(/^.*node_modules\//, '')}@${version} requires Node ${range}`];
  });
  expect(rejecting).toEqual([]);
});
