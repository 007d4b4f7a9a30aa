// `node test/docs/editor-registry.mjs <folder>`: writes the agent's entry for the Agent Client Protocol registry from package.json.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** 16 by 16, in the colour of the surrounding text. */
export const icon = `<svg xmlns="http://www.w3.org/2000/svg" width="16" height="16" viewBox="0 0 16 16">
  <path d="M11.5 3.6a5.6 5.6 0 1 0 0 8.8" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linecap="round" />
  <circle cx="9.4" cy="8" r="2" fill="currentColor" />
</svg>
`;

/** @param manifest the package.json */
export function registryEntry({ name, version, description, license, repository, homepage, author }) {
  const url = typeof repository === 'string' ? repository : repository?.url;
  return {
    id: name,
    name: 'Agent Harness',
    version,
    description,
    ...(url === undefined ? {} : { repository: url.replace(/^git\+/, '').replace(/\.git$/, '') }),
    ...(homepage === undefined ? {} : { website: homepage }),
    ...(author === undefined ? {} : { authors: [typeof author === 'string' ? author : author.name] }),
    license,
    distribution: { npx: { package: `${name}@${version}`, args: ['acp'] } },
  };
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [folder] = process.argv.slice(2);
  if (folder === undefined) throw new Error('Name the folder that the files go into.');
  const entry = registryEntry(JSON.parse(readFileSync(join(import.meta.dirname, '../../package.json'), 'utf8')));
  const place = join(folder, entry.id);
  mkdirSync(place, { recursive: true });
  writeFileSync(join(place, 'agent.json'), `${JSON.stringify(entry, undefined, 2)}\n`);
  writeFileSync(join(place, 'icon.svg'), icon);
  process.stdout.write(`${place}\n`);
}
