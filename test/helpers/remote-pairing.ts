// Sets up a remote paired device: two control plane nodes as processes behind one address, and a signed-in local server.
import { mkdir, mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startOutsideNodes, type OutsideNodes } from './relay-nodes.ts';
import { startScriptedModel, type Script, type ScriptedModel } from './scripted-model.ts';
import { startServerProcess, type ServerProcess } from './server-process.ts';

export interface OutsideWorld extends OutsideNodes {
  readonly model: ScriptedModel;
  readonly server: ServerProcess;
  readonly home: string;
  stopServer(signal?: NodeJS.Signals): Promise<void>;
  startServer(): Promise<void>;
}

/** Starts the nodes and the server from the build. The caller closes the result. */
export async function startOutsideWorld(script: Script = []): Promise<OutsideWorld> {
  const [outside, model] = await Promise.all([startOutsideNodes(), startScriptedModel(script)]);
  const { url, place, license, publicKey } = outside;
  const home = join(place, 'home');
  const workspace = await mkdtemp(join(place, 'work-'));
  const start = (port: string): Promise<ServerProcess> =>
    startServerProcess({
      ...{ home, workspace },
      environment: {
        ...model.environment,
        ...{ PORT: port, TMPDIR: place, AGENT_PERSONA_BOOTSTRAP: '0', AGENT_HUB_SITE_URL: url, AGENT_LICENSE_PUBLIC_KEY: publicKey },
      },
    });
  await mkdir(home, { recursive: true, mode: 0o700 });
  await writeFile(join(home, 'license.json'), JSON.stringify({ token: license }), { mode: 0o600 });
  let server = await start('0');
  const closeNodes = outside.close;
  return Object.defineProperty(
    Object.assign(outside, {
      ...{ model, home },
      async stopServer(signal: NodeJS.Signals = 'SIGTERM') {
        await server.stop(signal);
      },
      async startServer() {
        server = await start(new URL(server.url).port);
      },
      async close() {
        await server.stop('SIGKILL');
        await Promise.all([closeNodes(), model.close()]);
      },
    }),
    'server',
    { get: () => server },
  ) as OutsideWorld;
}
