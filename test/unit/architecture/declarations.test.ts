import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { kernelErrors, errorPrefix, type PluginManifest } from 'agent-harness/kernel';
import { allModules, load } from '../../helpers/harness.ts';
import { readSources, root } from '../../helpers/sources.ts';

let manifests: PluginManifest[] = [];
beforeAll(async () => {
  const modules = { ...(await load(allModules.platform)), ...(await load(allModules.builtin)) };
  manifests = Object.entries(modules).map(([name, module]) => (module.manifest as unknown as PluginManifest | undefined) ?? { name });
});
afterAll(() => void (manifests = []));

const sources = readSources('kernel', 'plugins', 'builtins');
const tests = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.test.ts'))
  .map((name) => readFileSync(join(root, 'test', name), 'utf8'))
  .join('\n');

test('every kernel error is thrown and tested', () => {
  const text = sources
    .filter((source) => source.path !== 'kernel/errors.ts')
    .map((source) => source.text)
    .join('\n');
  const reasons = Object.keys(kernelErrors);
  expect(reasons.filter((reason) => !text.includes(`'${reason}'`) && reason !== 'ERROR_UNLISTED')).toEqual([]);
  const plain = (reason: string): boolean => tests.includes(`KRN_ERR_${reason}`) || mentionsMessage(kernelErrors[reason as keyof typeof kernelErrors].message);
  expect(reasons.filter((reason) => !plain(reason))).toEqual([]);
});

/** A test may refer to an error by its message: the longest part between placeholders counts. */
function mentionsMessage(message: string): boolean {
  const parts = message
    .split(/\{\w+\}|'/)
    .map((part) => part.trim())
    .filter((part) => part.length > 14);
  return parts.some((part) => tests.includes(part));
}

test('every plugin error is thrown by its plugin and tested', () => {
  const unlisted: string[] = [];
  for (const { name, errors } of manifests) {
    const own = sources.filter(
      (source) => (source.path.includes(`/${name}/`) && !source.path.endsWith('/index.ts')) || source.path.endsWith(`/${name}/index.ts`),
    );
    for (const reason of Object.keys(errors ?? {})) {
      const thrown = own.some((source) => new RegExp(`['"\`]${reason}['"\`]`).test(source.text));
      const code = `${errorPrefix(name)}_ERR_${reason}`;
      const tested = tests.includes(code) || tests.includes(`'${reason.toLowerCase()}'`) || tests.includes(`"${reason.toLowerCase()}"`);
      if (!thrown) unlisted.push(`${code} is never thrown`);
      if (!tested) unlisted.push(`${code} is never tested`);
    }
  }
  expect(unlisted).toEqual([]);
});

test('every variable has one owner, a title, a description, and a settings tab unless excluded from the settings page', () => {
  const faults: string[] = [];
  const owners = new Map<string, string>();
  for (const { name, config } of manifests) {
    for (const [key, property] of Object.entries((config as { properties?: Record<string, any> } | undefined)?.properties ?? {})) {
      if (!property.env) continue;
      const first = owners.get(property.env);
      if (first) faults.push(`${property.env} is declared by ${first} and ${name}`);
      owners.set(property.env, name);
      if (!property.title || !property.description || property.description.length < 20) faults.push(`${name}.${key} is not described`);
      if (['integer', 'number'].includes(property.type) && (property.minimum === undefined || property.maximum === undefined))
        faults.push(`${name}.${key} has no range`);
    }
  }
  expect(faults).toEqual([]);
});

test('every event in a manifest is declared as a wire event or listed as internal', async () => {
  const wire = sources.map((source) => source.text).join('\n');
  const internal = new Set(['server_listening', 'token_rotated']);
  const events = manifests.flatMap(({ events: own = [] }) => own as readonly string[]);
  expect(events.filter((event) => !internal.has(event) && !new RegExp(`name: '${event}'`).test(wire))).toEqual([]);
});

test('the reference pages list every error, variable, event and plugin', () => {
  const page = (name: string): string => readFileSync(join(root, 'docs/reference', `${name}.md`), 'utf8');
  const [errors, config, plugins, plane] = [page('errors'), page('config'), page('plugins'), page('control-plane')];
  for (const { name, errors: table = {}, config: schema } of manifests) {
    const isOfPlane = name.startsWith('plane-');
    expect(isOfPlane ? plane : plugins).toContain(`\`${name}\``);
    for (const reason of Object.keys(table)) expect(errors).toContain(`${errorPrefix(name)}_ERR_${reason}`);
    for (const property of Object.values((schema as { properties?: Record<string, any> } | undefined)?.properties ?? {}))
      if (property.env) expect(isOfPlane ? plane : config).toContain(property.env);
  }
  for (const reason of Object.keys(kernelErrors)) expect(errors).toContain(`KRN_ERR_${reason}`);
});
