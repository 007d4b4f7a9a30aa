// Restores a server between two browser tests.
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ServerProcess } from './server-process.ts';

/** Files of a home without chats, notes and settings. Any other file is a leftover of a test. */
const usualFiles =
  /^(?:server\.(?:json|lock\.(?:holder|lock(?:\/[\w-]+)?))|web_token|event_id\.json|active_chat\.json|schedule\.json|usage\.jsonl|failures\.jsonl|plugin-data(?:\/[\w-]+)?|plugin-cache(?:\/.*)?|running(?:\.json)?|audio_wires\.json|unsettled|\.config(?:\/.*)?|chats(?:\/\.trash)?)$/;

/** Files that may remain if they are empty, with a check for that. */
const emptyFiles: Readonly<Record<string, (content: any) => boolean>> = {
  '.agent_notes.wishes.json': ({ unwanted }) => unwanted.length === 0,
  '.agent_runtime_prefs.json': ({ harness, plugins, ...other }) =>
    [harness?.env ?? {}, plugins?.disabled ?? [], other].every((part) => Object.keys(part).length === 0),
  'approval_rules.json': ({ rules }) => rules.length === 0,
  'push.json': ({ subscriptions = [] }) => subscriptions.length === 0,
};

/** Returns false if some state cannot be restored. */
export async function resetServer(server: ServerProcess, home: string, workspace: string, plugins: readonly string[]): Promise<boolean> {
  // A hard reset also removes the persona and its theme.
  if ((await readdir(home)).includes('persona')) await server.call('POST', '/api/session/reset', { mode: 'hard' });
  await deleteChats(server);
  const left = await readdir(workspace);
  // Plugins with a hidden file in the workspace, for example notes, also cache its content in memory.
  if (left.some((name) => name.startsWith('.'))) return false;
  for (const name of left) await rm(join(workspace, name), { recursive: true, force: true });
  const started = ['plugins', ...plugins.map((name) => join('plugins', name))];
  const names = (await readdir(home, { recursive: true })).filter((name) => plugins.length === 0 || !started.includes(name));
  if (names.includes('.agent_runtime_prefs.json')) await resetSettings(server, home);
  if (names.includes('approval_rules.json')) await deleteRules(server);
  for (const name of names) {
    const isEmpty = emptyFiles[name];
    if (isEmpty ? !isEmpty(JSON.parse(await readFile(join(home, name), 'utf8'))) : !usualFiles.test(name)) return false;
  }
  return true;
}

async function deleteChats({ call }: ServerProcess): Promise<void> {
  const { chats } = (await call('GET', '/api/chats?archived=true')).body;
  for (const { chatId } of chats) {
    await call('POST', '/api/session/abort', { chatId });
    await call('DELETE', `/api/chats/${chatId}`);
  }
  const { chats: trash } = (await call('GET', '/api/chats/trash')).body;
  for (const { chatId } of trash) await call('DELETE', `/api/chats/trash/${chatId}`);
}

async function resetSettings({ call }: ServerProcess, home: string): Promise<void> {
  const { harness, plugins } = JSON.parse(await readFile(join(home, '.agent_runtime_prefs.json'), 'utf8'));
  for (const name of plugins?.disabled ?? []) await call('PUT', `/api/plugins/${name}`, { disabled: false });
  const env = Object.fromEntries(Object.keys(harness?.env ?? {}).map((name) => [name, null]));
  await call('PUT', '/api/settings', { harness: { env } });
}

async function deleteRules({ call }: ServerProcess): Promise<void> {
  for (const { id } of (await call('GET', '/api/approval-rules')).body.rules) await call('DELETE', `/api/approval-rules/${id}`);
}
