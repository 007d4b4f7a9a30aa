// The client over the desktop protocol, where somebody asks for that; nobody else loads it.
import type { ClientTransport } from './client-contract.ts';
import { openDesktopSocket, type DesktopSocketOptions } from './desktop-socket.ts';

/** For `createClient({ transport: overSocket() })`: calls and events go over one WebSocket, and over HTTP while it is not open. */
export function overSocket(options: Pick<DesktopSocketOptions, 'webSocket'> = {}): ClientTransport {
  return (parts) => openDesktopSocket({ ...options, ...parts, chatId: 'all' });
}
