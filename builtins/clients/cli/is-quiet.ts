// Reads whether the server is configured for quiet output.
import type { Client } from './http-client.ts';

/** Returns whether the server is quiet; false for an older server without the setting. */
export async function isQuiet(client: Client): Promise<boolean> {
  const config = await client.call<{ uiVerbosity?: string }>('GET', '/api/config').catch(() => undefined);
  return config?.uiVerbosity === 'quiet';
}
