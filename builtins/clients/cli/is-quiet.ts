// Reads whether the server is configured for quiet output.
import type { Client } from './http-client.ts';

/** An older server without the setting is not quiet. */
export async function isQuiet(client: Client): Promise<boolean> {
  const config = await client.call<{ uiVerbosity?: string }>('GET', '/api/config').catch(() => undefined);
  return config?.uiVerbosity === 'quiet';
}
