// Implements `token`: shows and rotates the token that authenticates requests to the server.
import { exitCodes, refuseUse, type RunCommand } from '../cli-parts.ts';
import { findServer } from '../find-server.ts';

export const token: RunCommand = async (parts, { positionals }, output) => {
  const [action = 'show', ...more] = positionals;
  if (more.length > 0 || (action !== 'show' && action !== 'rotate')) return refuseUse(output, "Use 'token show' or 'token rotate'.");
  const { webToken } = parts.services;
  if (action === 'show') {
    output.out(`${await webToken.current()}\n`);
    return exitCodes.done;
  }
  // A running server must rotate the token itself; otherwise it would keep using the old one.
  const running = await findServer(parts);
  const fresh = running ? (await running.client.call<{ token: string }>('POST', '/api/token/rotate')).token : await webToken.rotate();
  output.out(`${fresh}\n`);
  output.err(running ? 'The old token is refused from now on; open pages and clients have to connect again.\n' : 'The old token is no longer accepted.\n');
  return exitCodes.done;
};
