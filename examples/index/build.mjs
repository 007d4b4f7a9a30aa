// Packs each plugin of a folder and lists the packs in an index: node examples/index/build.mjs. Signed by the key of whoever runs it.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

const here = import.meta.dirname;
const program = join(here, '../../dist/main.mjs');
const path = join(here, 'index.json');
const { name, plugins: before } = JSON.parse(readFileSync(path, 'utf8'));

const plugins = readdirSync(join(here, 'plugins')).map((folder) => {
  const source = join(here, 'plugins', folder);
  const { version } = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'));
  const out = join(here, `${folder}-${version}.tgz`);
  const packed = JSON.parse(execFileSync(process.execPath, [program, 'plugins', 'pack', source, '-o', out, '--json'], { encoding: 'utf8' }));
  const { description, sha256, key, capabilities, isolation, size } = packed;
  // A version keeps the day of its first pack.
  const known = before.find((/** @type {{ name: string, version: string }} */ one) => one.name === packed.name && one.version === version);
  const published = known?.published ?? new Date().toISOString();
  return { name: packed.name, version, published, description, url: basename(out), sha256, key, capabilities, isolation, size };
});
writeFileSync(path, `${JSON.stringify({ name, plugins }, undefined, 2)}\n`);
