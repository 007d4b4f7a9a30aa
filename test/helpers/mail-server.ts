// Runs an SMTP server for tests.
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';

export interface MailServer {
  /** Value for `SMTP_URL`. */
  readonly url: string;
  readonly mails: readonly string[];
  close(): void;
}

/** Starts a server that accepts or rejects every mail. The caller closes it. */
export async function startMailServer(takes = true): Promise<MailServer> {
  const mails: string[] = [];
  const server = createServer((socket) => {
    let text = '';
    let isData = false;
    socket.on('error', () => socket.destroy());
    socket.write('220 ready\r\n');
    socket.on('data', (chunk) => {
      text += String(chunk);
      for (let end = text.indexOf('\r\n'); end >= 0; end = text.indexOf('\r\n')) {
        if (isData) {
          const last = text.indexOf('\r\n.\r\n');
          if (last < 0) return;
          mails.push(text.slice(0, last));
          text = text.slice(last + 5);
          isData = false;
          socket.write('250 taken\r\n');
          continue;
        }
        const line = text.slice(0, end);
        text = text.slice(end + 2);
        isData = takes && line === 'DATA';
        socket.write(isData ? '354 go on\r\n' : !takes && line.startsWith('MAIL') ? '550 no: secret of the server\r\n' : '250 ok\r\n');
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}?from=hub@example.org`, mails, close: () => void server.close() };
}
