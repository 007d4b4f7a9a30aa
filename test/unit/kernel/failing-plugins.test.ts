import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { KernelError, Registry } from 'agent-harness/kernel';
import { loadTestKernel } from '../../helpers/test-kernel.ts';

const fixtures = (name: string) => ({ origin: 'user' as const, dir: join(import.meta.dirname, '../../fixtures/plugins', name) });

test('each kind of broken file becomes a failed plugin with a reason, and the others load', async () => {
  const { report, errors } = await loadTestKernel({}, { sources: [fixtures('broken')], timeoutMs: 200 });
  const rows = Object.fromEntries(report.plugins.map((plugin) => [plugin.name, [plugin.state, plugin.code, plugin.reason]]));
  expect(rows['fine']?.[0]).toBe('active');
  expect(rows['common-js']?.[0]).toBe('active');
  expect(rows['syntax-error']).toEqual(['failed', 'KRN_ERR_PLUGIN_IMPORT', expect.stringContaining("Plugin 'syntax-error' could not be imported")]);
  expect(rows['throws-at-import']?.[2]).toContain('no luck at import');
  expect(rows['throws']).toEqual(['failed', 'KRN_ERR_PLUGIN_REGISTER', expect.stringContaining('no luck in register')]);
  expect(rows['hangs']).toEqual(['failed', 'KRN_ERR_PLUGIN_TIMEOUT', expect.stringContaining('register()')]);
  expect(rows['hangs-at-import']).toEqual(['failed', 'KRN_ERR_PLUGIN_TIMEOUT', expect.stringContaining('import')]);
  expect(rows['no-register']).toEqual(['failed', 'KRN_ERR_PLUGIN_INVALID', expect.stringContaining('must export a function')]);
  expect(rows['wrong-name']?.[2]).toContain('manifest.name is "other"');
  expect(rows['wrong-api']?.[2]).toContain('version 2 of the plugin contract');
  expect(rows['misspelt']?.[2]).toContain('manifest.require is unknown');
  expect(rows['undeclared-service']).toEqual(['failed', 'KRN_ERR_SERVICE_UNDECLARED', expect.stringContaining("reads service 'vault'")]);
  expect(rows['missing-service']?.slice(0, 1)).toEqual(['unmet']);
  const failures = errors.filter(({ code }) => code !== 'KRN_ERR_POINT_UNKNOWN');
  expect(failures).toHaveLength(report.plugins.filter((plugin) => plugin.state === 'failed').length);
  expect(errors[0]).toMatchObject({ source: 'plugin', plugin: expect.any(String), code: expect.stringMatching(/^KRN_ERR_/) });
});

test('loads .js and .mjs files and folders with an index under kebab-case names, and reports other code as failed', async () => {
  const { report, errors } = await loadTestKernel({}, { sources: [fixtures('listing'), fixtures('not-there')] });
  const rows = Object.fromEntries(report.plugins.map(({ name, state, reason }) => [name, [state, reason]]));
  const active = Object.keys(rows).filter((name) => rows[name]?.[0] === 'active');
  expect(active.sort()).toEqual(['camel-case', 'my-tool', 'not-a-name', 'one', 'two', 'with-index']);
  expect(rows['9lives']).toEqual(['failed', expect.stringContaining('must begin with a letter')]);
  expect(rows['deeper']).toEqual(['failed', expect.stringContaining('a folder needs an index.mjs or index.js')]);
  expect(rows['typed-ts']).toEqual(['failed', expect.stringContaining('only .mjs and .js files are loaded')]);
  expect(report.plugins).toHaveLength(9); // readme.txt is not code
  expect(errors.map(({ plugin, code }) => [plugin, code]).sort()).toEqual(['9lives', 'deeper', 'typed-ts'].map((name) => [name, 'KRN_ERR_PLUGIN_INVALID']));
});

test('a missing name in `include` fails and lists the available names, and other plugins are not imported', async () => {
  const including = (...include: string[]) => ({ sources: [{ ...fixtures('listing'), include }] });
  const { report, close } = await loadTestKernel({}, including('two', 'one'));
  expect(report.plugins.map(({ name }) => name)).toEqual(['one', 'two']);
  await close();
  await expect(loadTestKernel({}, including('one', 'three'))).rejects.toMatchObject({
    code: 'KRN_ERR_PLUGIN_MISSING',
    message: expect.stringMatching(/'three' does not exist in .*one, .*two/),
  });
});

test('two plugins with one name: the later one fails and its reason names both places', async () => {
  const { report } = await loadTestKernel({ one: {} }, { sources: [fixtures('listing')] });
  const failed = report.plugins.find((plugin) => plugin.state === 'failed');
  expect(failed).toMatchObject({ origin: 'user', code: 'KRN_ERR_PLUGIN_DUPLICATE' });
  expect(failed?.reason).toMatch(/module one.*one\.mjs/);
});

test('a failing platform plugin aborts the start and names the cause', async () => {
  const broken = {
    one: {
      register: () => {
        throw new Error('no disk');
      },
    },
  };
  await expect(loadTestKernel(broken, { origin: 'platform' })).rejects.toMatchObject({
    code: 'KRN_ERR_PLUGIN_PLATFORM',
    message: expect.stringContaining('no disk'),
  });
});

test('a register that throws midway leaves nothing registered', async () => {
  const { kernel, state } = await loadTestKernel({
    half: {
      manifest: { provides: ['half'], events: ['half_event'] },
      register(registry, emitter) {
        registry.provide('half', () => 1);
        registry.add('thing', { name: 'x' });
        emitter.tap('some.hook', () => undefined);
        emitter.on('error', () => undefined);
        throw new Error('half way');
      },
    },
  });
  expect(state('half')).toBe('failed');
  expect(kernel.trace()).toEqual([]);
});

test('a failed plugin can be disabled, its dependents report that, and enabling it retries the registration', async () => {
  let isMended = false;
  const two = { name: 'two', place: 'two.mjs', load: () => Promise.reject(new Error('nobody knows it')) };
  const { kernel, errors, report, state } = await loadTestKernel(
    {
      maker: {
        manifest: { provides: ['thing'] },
        register(registry) {
          if (!isMended) throw new Error('no luck');
          registry.provide('thing', () => 1);
        },
      },
      user: { manifest: { requires: ['thing'] } },
    },
    { sources: [{ origin: 'user', entries: [two] }], disabled: ['two'] },
  );
  const row = (name: string) => kernel.control.report().plugins.find((plugin) => plugin.name === name);
  expect(report.plugins.find(({ name }) => name === 'two')).toMatchObject({ state: 'disabled', reason: expect.stringContaining('switched off') });
  expect(errors.map(({ plugin }) => plugin)).not.toContain('two');
  expect(state('maker')).toBe('failed');
  await kernel.control.setDisabled(['maker']);
  expect(row('maker')).toMatchObject({ state: 'disabled', reason: expect.stringContaining('switched off') });
  expect(row('maker')).not.toHaveProperty('code');
  expect(row('user')?.reason).toContain("provided by disabled plugin 'maker'");
  expect(row('two')).toMatchObject({ state: 'failed', code: 'KRN_ERR_PLUGIN_IMPORT' });
  isMended = true;
  await kernel.control.setDisabled([]);
  expect(row('maker')?.state).toBe('active');
  expect(row('user')?.state).toBe('active');
});

test('registering after the unload throws', async () => {
  let late: (() => void) | undefined;
  const { close } = await loadTestKernel({ one: { register: (registry) => void (late = () => registry.add('thing', {})) } });
  await close();
  expect(late).toThrow(expect.objectContaining({ code: 'KRN_ERR_SCOPE_CLOSED' }));
});

test('each plugin has its own data folder, and reading it fails if the host configured none', async () => {
  const answers: string[] = [];
  const plugin = {
    register(registry: Registry) {
      try {
        answers.push(registry.plugin.dataDir);
      } catch (fault) {
        answers.push((fault as KernelError).code);
      }
    },
  };
  await (await loadTestKernel({ plugin })).close();
  await (await loadTestKernel({ plugin }, { kernel: { dataDir: '/data' } })).close();
  expect(answers).toEqual(['KRN_ERR_DATA_DIR_MISSING', join('/data', 'plugin')]);
});
