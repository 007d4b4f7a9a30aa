// Whether the settings of the server want clients to say little.
import type { Client } from './http-client.ts';

/** An older server that does not say is not quiet. */
export async function isQuiet(client: Client): Promise<boolean> {
  const config = await client.call<{ uiVerbosity?: string }>('GET', '/api/config').catch(() => undefined);
  return config?.uiVerbosity === 'quiet';
}
