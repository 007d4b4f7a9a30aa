// Implements `plugins new`, `test`, `install`, `update`, `audit` and `remove`.
import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { AuditRow, PluginLife, PluginOffer } from 'agent-harness/builtins/connections/plugin-life';
import { makeSafe } from '#lib/terminal';
import { countWithNoun, oneLine } from '#lib/text';
import type { CliOutput } from 'agent-harness/plugins/commands';
import { readAnswer } from '../answer.ts';
import { exitCodes, refuseAction, refuseUse, type CliInput, type CliParts, type RunCommand } from '../cli-parts.ts';
import { withServer } from '../find-server.ts';
import type { Client } from '../http-client.ts';

type Act = (work: { readonly life: PluginLife; readonly parts: CliParts; readonly input: CliInput; readonly output: CliOutput }) => Promise<number>;

const actions: Readonly<Record<string, Act>> = { new: create, test, install, update, audit, remove };

export const pluginLife: RunCommand = async (parts, input, output) => {
  const [action = ''] = input.positionals;
  const life = parts.services.pluginLife;
  const act = Object.hasOwn(actions, action) ? actions[action] : undefined;
  if (!act) return refuseAction(output, 'plugins', action, ['list', 'reload', 'dev', ...Object.keys(actions), 'allow', 'isolate']);
  if (!life) return refuseUse(output, `'plugins ${action}' needs the plugin 'plugin-life', which is not active.`);
  return act({ life, parts, input, output });
};

const safe = (text: string, longest = 300): string => oneLine(makeSafe(text), longest);
const kB = (bytes: number): string => `${Math.max(1, Math.round(bytes / 1024))} kB`;

async function create({ life, parts, input: { positionals, options }, output }: Parameters<Act>[0]): Promise<number> {
  const [, name, ...more] = positionals;
  if (name === undefined || more.length > 0) return refuseUse(output, "'plugins new' takes one name, such as: plugins new hello");
  const dir = typeof options['dir'] === 'string' ? { dir: options['dir'] } : {};
  const made = await life.create(name, { ...dir, isTypeScript: options['typescript'] === true });
  for (const path of made) output.out(`${path}\n`);
  // In the default folder, a plugin is found by name.
  const named = options['dir'] === undefined ? name : `'${dirname(made[0] ?? name).replaceAll("'", "'\\''")}'`;
  const { command = parts.services.product.name } = parts.services.product;
  output.out(
    `\nStart the server with it and reload it at each change:\n  ${command} plugins dev ${named}\nRun its test:\n  ${command} plugins test ${named}\n`,
  );
  return exitCodes.done;
}

async function test({ life, input: { positionals, signal }, output }: Parameters<Act>[0]): Promise<number> {
  const [, path = '.', ...more] = positionals;
  if (more.length > 0) return refuseUse(output, "'plugins test' takes one folder, file or name.");
  const passed = await life.test(path, { signal, onOutput: (text) => output.out(text) });
  return passed ? exitCodes.done : exitCodes.failed;
}

async function install({ parts, input, output }: Parameters<Act>[0]): Promise<number> {
  const [, source, ...more] = input.positionals;
  if (source === undefined || more.length > 0)
    return refuseUse(output, "'plugins install' takes one source: a path, npm:name, git:address, or an https address.");
  // The server may have a different working directory.
  const asked = !source.startsWith('~') && (/^\.{0,2}\//.test(source) || existsSync(source)) ? resolve(source) : source;
  return withServer(parts, input.signal, (client) => offerOne(client, asked, input, output));
}

async function update({ parts, input, output }: Parameters<Act>[0]): Promise<number> {
  const [, name, ...more] = input.positionals;
  if (more.length > 0) return refuseUse(output, "'plugins update' takes one name, or none for all.");
  return withServer(parts, input.signal, async (client) => {
    const { plugins } = await client.call<{ plugins: { name: string }[] }>('GET', '/api/plugins/installed');
    if (name !== undefined && !plugins.some((one) => one.name === name)) {
      output.err(`'${safe(name)}' is not an installed plugin. 'plugins audit' lists them.\n`);
      return exitCodes.failed;
    }
    const wanted = name === undefined ? plugins.map((one) => one.name) : [name];
    if (wanted.length === 0) output.out('Nothing was installed.\n');
    let worst: number = exitCodes.done;
    for (const one of wanted) {
      try {
        worst = Math.max(worst, await offerOne(client, one, input, output));
      } catch (fault) {
        // A failed update does not stop the others.
        if (!(fault instanceof Error && 'status' in fault) || wanted.length === 1) throw fault;
        output.err(`${one}: ${safe(fault.message)}\n`);
        worst = exitCodes.failed;
      }
    }
    return worst;
  });
}

/** Shows the content of a source, asks for confirmation, and installs exactly that content. */
async function offerOne(client: Client, source: string, { options }: CliInput, output: CliOutput): Promise<number> {
  const noCoolDown = options['no-cool-down'] === true;
  const offer = await client.call<PluginOffer>('POST', '/api/plugins/offers', { source, ...(noCoolDown ? { noCoolDown } : {}) });
  const isJson = options['json'] === true;
  if (offer.installed?.isSame === true) {
    output.out(isJson ? `${JSON.stringify({ offer, installed: false }, undefined, 2)}\n` : `${offer.name} ${safe(offer.version)} is already installed.\n`);
    return exitCodes.done;
  }
  if (!isJson) show(offer, output);
  if (options['yes'] !== true) {
    if (output.isInputTerminal !== true) {
      output.err('Nothing was installed: there is no terminal for the confirmation. Use --yes.\n');
      return exitCodes.unanswered;
    }
    output.out(`${offer.installed ? 'Replace' : 'Install'} ${offer.name}${offer.grown.length > 0 ? ', which requests more than before' : ''}? [y/N] `);
    if (!/^y(es)?$/i.test((await readAnswer(output)).trim())) {
      output.out('Nothing was installed.\n');
      return exitCodes.done;
    }
  }
  const { pending } = await client.call<{ pending?: boolean }>('POST', `/api/plugins/offers/${offer.id}`, { digest: offer.digest });
  const { plugins } = await client.call<{ plugins: { name: string; state: string; reason?: string }[] }>('GET', '/api/plugins');
  const row = plugins.find(({ name }) => name === offer.name);
  if (isJson) output.out(`${JSON.stringify({ offer, installed: true, ...(row ? { state: row.state } : {}) }, undefined, 2)}\n`);
  else if (pending === true) output.out(`${offer.name} is installed. It is loaded when no turn runs.\n`);
  else output.out(`${offer.name} is installed, and ${row?.state ?? 'not loaded'}${row?.reason === undefined ? '' : `: ${safe(row.reason)}`}.\n`);
  return row?.state === 'failed' ? exitCodes.failed : exitCodes.done;
}

function show(offer: PluginOffer, output: CliOutput): void {
  const { name, version, description, installed, grown } = offer;
  const change = installed ? ` in place of ${safe(installed.version, 60)}` : '';
  const size = installed ? ` (before: ${countWithNoun(installed.files, 'file')}, ${kB(installed.bytes)})` : '';
  const lines = [
    `${name} ${safe(version, 60)}${change}`,
    ...(description === '' ? [] : [safe(description)]),
    `From ${safe(offer.resolved)}${offer.published === undefined ? '' : `, published ${offer.published.slice(0, 10)}`}`,
    `${countWithNoun(offer.files, 'file')}, ${kB(offer.bytes)}${size}, sha256 ${offer.digest}`,
    ...offer.needs.map((one) => `${grown.includes(one) ? '+' : '-'} ${safe(one)}`),
    ...offer.notes.map((one) => `! ${safe(one)}`),
    ...(grown.length === 0 ? [] : ['+ is new in this version.']),
  ];
  output.out(`${lines.join('\n')}\n`);
}

async function audit({ parts, input, output }: Parameters<Act>[0]): Promise<number> {
  if (input.positionals.length > 1) return refuseUse(output, "'plugins audit' takes no arguments.");
  return withServer(parts, input.signal, async (client) => {
    const { plugins } = await client.call<{ plugins: AuditRow[] }>('GET', '/api/plugins/audit');
    const marks = { ok: '✓', note: '·', wrong: '✗' } as const;
    if (input.options['json'] === true) output.out(`${JSON.stringify(plugins, undefined, 2)}\n`);
    else if (plugins.length === 0) output.out('There are no third-party plugins.\n');
    else
      for (const { name, origin, version, findings } of plugins) {
        output.out(`${name}${version === undefined ? '' : ` ${safe(version, 60)}`} (${origin})\n`);
        for (const { level, text } of findings) output.out(`  ${marks[level]} ${safe(text)}\n`);
      }
    return plugins.some(({ findings }) => findings.some(({ level }) => level === 'wrong')) ? exitCodes.failed : exitCodes.done;
  });
}

async function remove({ parts, input, output }: Parameters<Act>[0]): Promise<number> {
  const { positionals, options } = input;
  const [, name, ...more] = positionals;
  if (name === undefined || more.length > 0) return refuseUse(output, "'plugins remove' takes one name.");
  let withData = options['data'] === true;
  if (!withData && options['yes'] !== true && output.isInputTerminal === true) {
    output.out(`Delete the data of ${safe(name)}, too? [y/N] `);
    withData = /^y(es)?$/i.test((await readAnswer(output)).trim());
  }
  return withServer(parts, input.signal, async (client) => {
    const { gone } = await client.call<{ gone: string[] }>('DELETE', `/api/plugins/${encodeURIComponent(name)}?withData=${withData}`);
    if (options['json'] === true) output.out(`${JSON.stringify({ gone }, undefined, 2)}\n`);
    else for (const one of gone) output.out(`Removed: ${safe(one)}\n`);
    return exitCodes.done;
  });
}
