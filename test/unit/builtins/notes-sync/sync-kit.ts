// Starts installations that are signed in to a test control plane.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { stockBuiltins } from '../../../../builtins/distribution/stock.ts';
import { startHarness, type Harness } from '../../../helpers/harness.ts';
import type { AddedMember, Plane } from '../../../helpers/plane.ts';

export interface Home extends Harness {
  remember(key: string, value: string, scope?: 'global' | 'workspace'): Promise<void>;
  forget(key: string, scope?: 'global' | 'workspace'): Promise<void>;
  notes(scope?: 'global' | 'workspace'): Promise<string[]>;
  sync(target?: 'cloud' | 'team', more?: object): Promise<any>;
  readonly chatId: string;
}

export interface HomeOptions {
  readonly plane: Pick<Plane, 'url' | 'kernel'>;
  readonly member: AddedMember;
  readonly environment?: Readonly<Record<string, string>>;
  readonly home?: string;
  readonly workspace?: string;
  readonly remote?: string;
  /** Built-ins in addition to those needed for sync. */
  readonly builtins?: readonly (typeof stockBuiltins)[number][];
  readonly site?: string;
}

export const syncBuiltins = [
  'memory',
  'hub',
  'notes-sync',
  'cloud-sync',
  'team-memory',
  'session-history',
  'model-chat-completions',
] satisfies (typeof stockBuiltins)[number][];

const folders: string[] = [];

export async function makeFolder(name: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), `sync-${name}-`));
  folders.push(folder);
  return folder;
}

export async function removeFolders(): Promise<void> {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
}

export async function openHome({ plane, member, environment = {}, remote, builtins = [], site = plane.url, ...places }: HomeOptions): Promise<Home> {
  const home = places.home ?? (await makeFolder('home'));
  const workspace = places.workspace ?? (await makeFolder('work'));
  if (remote !== undefined) await writeGit(workspace, remote);
  await writeFile(join(home, 'license.json'), JSON.stringify({ token: member.token }), { mode: 0o600 });
  const harness = await startHarness({
    ...{ home, workspace, builtins: [...syncBuiltins, ...builtins] },
    environment: { AGENT_LICENSE_PUBLIC_KEY: await plane.kernel.resolve('planeKeys').publicKey(), AGENT_HUB_SITE_URL: site, ...environment },
  });
  await harness.kernel.resolve('license').ready();
  const chat = (await harness.call('POST', '/api/chats', { workspaceMode: 'folder', workspaceRoot: workspace })).body;
  const notes = harness.kernel.resolve('notes');
  const place = { chatId: chat.chatId as string, workspaceRoot: workspace };
  return {
    ...harness,
    chatId: chat.chatId as string,
    async remember(key, value, scope = 'global') {
      await notes.remember(place, { type: 'fact', key, value, scope, source: { kind: 'user', ref: 'test' } });
    },
    async forget(key, scope = 'global') {
      await notes.forget(place, `fact:${key}`, scope);
    },
    async notes(scope = 'global') {
      const { body } = await harness.call('GET', `/api/memory?scope=${scope}&chatId=${place.chatId}`);
      return (body.notes as { key: string; value: string }[]).map(({ key, value }) => `${key}=${value}`).sort();
    },
    async sync(target = 'cloud', more = {}) {
      return (await harness.call('POST', '/api/sync/run', { target, chatId: place.chatId, ...more })).body;
    },
  };
}

async function writeGit(workspace: string, remote: string): Promise<void> {
  const { mkdir } = await import('node:fs/promises');
  await mkdir(join(workspace, '.git'), { recursive: true });
  await writeFile(join(workspace, '.git', 'HEAD'), 'ref: refs/heads/main\n');
  await writeFile(join(workspace, '.git', 'config'), `[remote "origin"]\n\turl = ${remote}\n`);
}
