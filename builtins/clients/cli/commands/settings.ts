// Implements `settings`: reads and changes settings, with the same validation as the settings page.
import { oneLine } from '#lib/text';
import type { CliOutput } from 'agent-harness/plugins/commands';
import type { SettingField, SettingsTab } from 'agent-harness/plugins/settings';
import { exitCodes, refuseAction, refuseUse, type RunCommand } from '../cli-parts.ts';
import { withServer } from '../find-server.ts';
import type { Client } from '../http-client.ts';
import { alignColumns } from '../table.ts';

interface SettingsReply {
  readonly tabs: readonly SettingsTab[];
  readonly fields: readonly SettingField[];
}
type Changes = Record<string, string | null>;

export const settings: RunCommand = async (parts, { positionals, options, signal }, output) => {
  const [action = 'list', ...rest] = positionals;
  const asJson = options['json'] === true;
  switch (action) {
    case 'list':
      return rest.length > 0 ? refuseUse(output, "'settings list' takes no arguments.") : withServer(parts, signal, (client) => list(client, asJson, output));
    case 'get': {
      const [key] = rest;
      return key === undefined || rest.length > 1
        ? refuseUse(output, "'settings get' needs one KEY.")
        : withServer(parts, signal, (client) => get(client, key, asJson, output));
    }
    case 'set': {
      const changes = readChanges(rest);
      return changes
        ? withServer(parts, signal, (client, isOurs) => change(client, changes, { asJson, isOurs }, output))
        : refuseUse(output, "'settings set' needs KEY=VALUE.");
    }
    case 'unset': {
      if (rest.length === 0) return refuseUse(output, "'settings unset' needs a KEY.");
      const changes: Changes = Object.fromEntries(rest.map((key) => [key, null]));
      return withServer(parts, signal, (client, isOurs) => change(client, changes, { asJson, isOurs }, output));
    }
    default:
      return refuseAction(output, 'settings', action, ['list', 'get', 'set', 'unset']);
  }
};

async function list(client: Client, asJson: boolean, output: CliOutput): Promise<number> {
  const reply = await client.call<SettingsReply>('GET', '/api/settings');
  if (asJson) return printJson(reply.fields, output);
  const titles = new Map(reply.tabs.map(({ id, title }) => [id, title]));
  const tabs = [...new Set([...titles.keys(), ...reply.fields.map(({ tab }) => tab)])];
  for (const tab of tabs) {
    const fields = reply.fields.filter((field) => field.tab === tab);
    if (fields.length === 0) continue;
    output.out(`${titles.get(tab) ?? tab}\n${alignColumns(fields.map((field) => [`  ${field.key}`, describeValue(field), describeSource(field)]))}\n`);
  }
  return exitCodes.done;
}

async function get(client: Client, key: string, asJson: boolean, output: CliOutput): Promise<number> {
  const { fields } = await client.call<SettingsReply>('GET', '/api/settings');
  const field = fields.find((one) => one.key === key);
  if (!field) {
    output.err(`There is no setting '${key}'; 'settings list' shows them all.\n`);
    return exitCodes.failed;
  }
  if (asJson) return printJson(field, output);
  output.out(`${describeValue(field)}\n`);
  if (field.warning !== undefined) output.err(`${field.warning}\n`);
  return exitCodes.done;
}

async function change(client: Client, env: Changes, how: { readonly asJson: boolean; readonly isOurs: boolean }, output: CliOutput): Promise<number> {
  const body = { harness: { env }, whenBusy: 'queue' };
  const reply = await client.call<{ applied: string[]; restartNeeded: string[]; pending?: string[] }>('PUT', '/api/settings', body);
  if (how.asJson) return printJson(reply, output);
  for (const key of Object.keys(env)) {
    const waits = !how.isOurs && reply.restartNeeded.includes(key) ? ' It takes effect at the next start of the server.' : '';
    const pending = reply.pending?.includes(key) === true ? ' It takes effect when no turn runs.' : '';
    output.out(`${key} is ${env[key] === null ? 'reset to its default' : 'saved'}.${pending}${waits}\n`);
  }
  return exitCodes.done;
}

function readChanges(texts: readonly string[]): Changes | undefined {
  const pairs = texts.map((text) => /^([^=\s]+)=(.*)$/s.exec(text)).map((match) => [match?.[1], match?.[2]] as const);
  const isWhole = pairs.length > 0 && pairs.every(([key]) => key !== undefined);
  return isWhole ? (Object.fromEntries(pairs) as Changes) : undefined;
}

function describeValue({ value, sensitive }: SettingField): string {
  if (sensitive) return '(never shown)';
  return value === null || value === '' ? '–' : oneLine(String(value), 300);
}

function describeSource({ source, locked }: SettingField): string {
  if (source === 'default') return '';
  if (source === 'fleet') return 'from your team, locked';
  return locked ? 'from the environment, locked' : source === 'environment' ? 'from .env' : 'saved';
}

function printJson(reply: unknown, output: CliOutput): number {
  output.out(`${JSON.stringify(reply, undefined, 2)}\n`);
  return exitCodes.done;
}
