// The folder that a connection works in: what the other program says is its root, else the one that the command was started in.
import { isAbsolute, parse } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';

const patienceMs = 5_000;

/** `undefined`: none of its own, as for programs that start others at the root of all files. */
export async function findWorkFolder(server: Server, startFolder: string): Promise<string | undefined> {
  const [root] = server.getClientCapabilities()?.roots === undefined ? [] : await listRoots(server);
  const folder = root ?? startFolder;
  return isAbsolute(folder) && parse(folder).root !== folder ? folder : undefined;
}

/** Who says that it has roots and does not name them has none. */
async function listRoots(server: Server): Promise<string[]> {
  try {
    const { roots } = await server.listRoots(undefined, { timeout: patienceMs });
    return roots.map(({ uri }) => new URL(uri)).flatMap((uri) => (uri.protocol === 'file:' ? [fileURLToPath(uri)] : []));
  } catch {
    return [];
  }
}
