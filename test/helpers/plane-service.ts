// Starts a local server that is signed in to a control plane, and its scripted model.
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { openEventStream, type EventStream, type StreamEvent } from './event-stream.ts';
import { startHarness, type Harness, type HarnessOptions } from './harness.ts';
import { addMember, startPlane, type Plane } from './plane.ts';
import { startScriptedModel, type Script, type ScriptedModel } from './scripted-model.ts';
import { useAll } from './use-opened.ts';

export interface SignedIn {
  readonly url: string;
  readonly publicKey: string;
  readonly token: string;
}

export interface Service extends Harness {
  readonly model: ScriptedModel;
  readonly stream: EventStream;
  say(text?: string): Promise<readonly StreamEvent[]>;
}

export interface ServiceOptions extends Pick<HarnessOptions, 'home' | 'workspace' | 'builtins' | 'environment' | 'modules'> {
  readonly script?: Script;
}

/** Starts a service. The caller closes it, which also closes its model. */
export async function startService({ url, publicKey, token }: SignedIn, { script, ...options }: ServiceOptions): Promise<Service> {
  const home = options.home ?? (await mkdtemp(join(tmpdir(), 'service-home-')));
  await writeFile(join(home, 'license.json'), JSON.stringify({ token }));
  const model = await startScriptedModel(script);
  const harness = await startHarness({
    ...options,
    home,
    environment: {
      ...{ AGENT_LICENSE_PUBLIC_KEY: publicKey, AGENT_HUB_SITE_URL: url },
      ...{ AGENT_API_BASE_URL: model.url, AGENT_API_KEY: 'key', AGENT_MODEL: 'scripted' },
      ...options.environment,
    },
  });
  const stream = await openEventStream(harness, { chatId: 'all' });
  return {
    ...harness,
    model,
    stream,
    async say(text = 'Go on.') {
      const { status, body } = await harness.call('POST', '/api/message', { text });
      if (status !== 202 && status !== 200) throw new Error(`the message was refused: ${JSON.stringify(body)}`);
      await stream.until(({ kind, turnId }) => kind === 'turn_end' && turnId === body.turnId);
      return stream.events.filter(({ turnId }) => turnId === body.turnId);
    },
    async close(closing) {
      stream.close();
      const faults = await harness.close(closing);
      await model.close();
      if (!options.home && !closing?.keepFiles) await rm(home, { recursive: true, force: true });
      return faults;
    },
  };
}

/** Returns the connection data that a service needs to use the control plane as the license owner. */
export const signedIn = async (plane: Plane, { token }: { readonly token: string }): Promise<SignedIn> => ({
  url: plane.url,
  publicKey: await plane.kernel.resolve('planeKeys').publicKey(),
  token,
});

/** Opens a control plane with an admin and a member of one team for all tests of the file. `start` opens a service for one test, as member by default. */
export function useTeam(defaults: ServiceOptions) {
  const plane = useAll(() => startPlane());
  const admin = useAll(() => addMember(plane, { email: 'adm@example.org', role: 'admin', tier: 'team' }));
  const member = useAll(async () => signedIn(plane, await addMember(plane, { email: 'mem@example.org', role: 'member', tier: 'team' })));
  async function start(options: ServiceOptions = {}, who: SignedIn = member): Promise<Service> {
    const service = await startService(who, { ...defaults, ...options });
    onTestFinished(async () => void (await service.close()));
    return service;
  }
  return { plane, admin, member, start };
}
