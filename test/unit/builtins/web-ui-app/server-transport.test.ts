// Tests the choice of the transport between the page and its server.
import { afterEach, expect, test, vi } from 'vitest';

afterEach(() => vi.unstubAllGlobals());

async function openNamed(name: string | undefined): Promise<unknown> {
  vi.resetModules();
  vi.stubGlobal('document', { querySelector: () => (name === undefined ? null : { content: name }) });
  const { serverTransport } = await import('../../../../builtins/clients/web-ui/app/kit/server-transport.ts');
  return serverTransport();
}

test("uses the page's own site without a named transport, and reports a transport that the page does not contain", async () => {
  expect(await openNamed(undefined)).toBeUndefined();
  await expect(openNamed('carrier-pigeon')).rejects.toThrow(/does not contain the transport “carrier-pigeon”/);
});
