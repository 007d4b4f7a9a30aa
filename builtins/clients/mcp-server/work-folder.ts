// Finds the working folder of a connection: the root that the MCP client declares, otherwise the directory in which the command was started.
import { isAbsolute, parse } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Server } from '@modelcontextprotocol/sdk/server/index.js';

const patienceMs = 5_000;

/** Returns the working folder; `undefined` for programs started in the root of the file system. */
export async function findWorkFolder(server: Server, startFolder: string): Promise<string | undefined> {
  const [root] = server.getClientCapabilities()?.roots === undefined ? [] : await listRoots(server);
  const folder = root ?? startFolder;
  return isAbsolute(folder) && parse(folder).root !== folder ? folder : undefined;
}

/** Lists the roots. A client that declares roots but does not list them is treated as having none. */
async function listRoots(server: Server): Promise<string[]> {
  try {
    const { roots } = await server.listRoots(undefined, { timeout: patienceMs });
    return roots.map(({ uri }) => new URL(uri)).flatMap((uri) => (uri.protocol === 'file:' ? [fileURLToPath(uri)] : []));
  } catch {
    return [];
  }
}
