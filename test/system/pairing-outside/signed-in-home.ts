// Opens a control plane and a home folder signed in to it, for all tests of a file.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeAll } from 'vitest';
import { startHarness, type Harness, type HarnessOptions } from '../../helpers/harness.ts';
import { addMember, startPlane } from '../../helpers/plane.ts';
import { useAll, useFolderForAll } from '../../helpers/use-opened.ts';

/** `start` starts a server on the home; the caller closes it. */
export function useSignedInHome() {
  const home = useFolderForAll('outside-home-');
  const plane = useAll(() => startPlane({ environment: { HUB_ATTEMPTS_PER_MINUTE: '10000' } }));
  beforeAll(async () => {
    const { token } = await addMember(plane, { email: 'ann@example.org', role: 'member', tier: 'pro' });
    await writeFile(join(home, 'license.json'), JSON.stringify({ token }));
  });
  async function start({ environment, ...options }: HarnessOptions): Promise<Harness> {
    const signedIn = { AGENT_HUB_SITE_URL: plane.url, AGENT_LICENSE_PUBLIC_KEY: await plane.kernel.resolve('planeKeys').publicKey() };
    return startHarness({ home, ...options, environment: { ...signedIn, ...environment } });
  }
  return { home, plane, start };
}
