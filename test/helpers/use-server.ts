// Starts the built server with a scripted model and its folders for the tests of a file, and stops them afterwards.
import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { startScriptedModel, type ScriptedModel } from './scripted-model.ts';
import { startServerProcess, type ServerProcess } from './server-process.ts';

export interface ServerWorld {
  readonly home: string;
  readonly workspace: string;
  readonly model: ScriptedModel;
  readonly server: ServerProcess;
}

export interface ServerWorldOptions {
  /** Environment of the server, called after the model was started. */
  readonly environment?: (place: Pick<ServerWorld, 'home' | 'workspace'>) => Readonly<Record<string, string>>;
  readonly prepare?: (place: Pick<ServerWorld, 'home' | 'workspace'>) => Promise<unknown>;
}

/** @param assign receives the server world before the first test */
export function useServer(assign: (world: ServerWorld) => void, { environment, prepare }: ServerWorldOptions = {}): void {
  let end = (): Promise<unknown> => Promise.resolve();
  beforeAll(async () => {
    const [home, workspace] = (await Promise.all(['home', 'work'].map(async (name) => realpath(await mkdtemp(join(tmpdir(), `server-${name}-`)))))) as [
      string,
      string,
    ];
    const model = await startScriptedModel();
    const removeFolders = (): Promise<unknown> => Promise.all([home, workspace].map((folder) => rm(folder, { recursive: true, force: true })));
    end = () => Promise.all([model.close(), removeFolders()]);
    await prepare?.({ home, workspace });
    const server = await startServerProcess({ home, workspace, environment: { ...model.environment, ...environment?.({ home, workspace }) } });
    end = async () => (await server.stop(), await model.close(), removeFolders());
    assign({ home, workspace, model, server });
  });
  afterAll(() => end());
}
