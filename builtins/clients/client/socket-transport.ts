// Connects the client to the desktop protocol; loaded on demand.
import type { ClientTransport } from './client-contract.ts';
import { openDesktopSocket, type DesktopSocketOptions } from './desktop-socket.ts';

/** Returns the transport for `createClient({ transport: overSocket() })`. Calls and events use one WebSocket, or HTTP while it is not open. */
export function overSocket(options: Pick<DesktopSocketOptions, 'webSocket'> = {}): ClientTransport {
  return (parts) => openDesktopSocket({ ...options, ...parts, chatId: 'all' });
}
