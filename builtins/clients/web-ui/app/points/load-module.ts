// Loads the script of a panel: directly from its address, or through the page's transport.
import { isRecord, recordIn } from '#lib/values';
import { serverTransport } from '../kit/server-transport.ts';
import { t } from '../kit/t.ts';

const loaded = new Map<string, Promise<unknown>>();

/** Returns the module at an address of the server; the same address always yields the same module. Rejects if the module cannot be loaded or fails to run. */
export async function loadModule(address: string): Promise<unknown> {
  const way = await serverTransport();
  if (!way) return import(/* @vite-ignore */ address);
  let module = loaded.get(address);
  if (!module) {
    module = importThrough(way.fetch, address);
    loaded.set(address, module);
    module.catch(() => loaded.delete(address));
  }
  return module;
}

/** Imports a script through another transport as a blob URL, because browsers load scripts only from the page's own site. */
async function importThrough(ask: typeof fetch, address: string): Promise<unknown> {
  const reply = await ask(new URL(address, location.origin));
  const text = await reply.text();
  if (!reply.ok) {
    const { error } = recordIn(text);
    const said = isRecord(error) ? error['message'] : undefined;
    throw new Error(typeof said === 'string' ? said : t('the server responded with status {status}', { status: reply.status }));
  }
  const own = URL.createObjectURL(new Blob([text], { type: 'text/javascript' }));
  try {
    return await import(/* @vite-ignore */ own);
  } finally {
    URL.revokeObjectURL(own);
  }
}
