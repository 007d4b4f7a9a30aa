// Sends HTTP requests as an attacker does: any Host, any header, a path without normalisation.
import { request } from 'node:http';

export interface RawReply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
  readonly body: any;
}

export function rawRequest(url: string, method: string, path: string, headers: Readonly<Record<string, string>> = {}, body?: string): Promise<RawReply> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const sent = request(
      { hostname, port, method, path, agent: false, headers: { ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }), ...headers } },
      (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (piece: string) => (text += piece));
        response.on('error', reject);
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text, body: /^[[{]/.test(text) ? JSON.parse(text) : undefined }),
        );
      },
    );
    // A server may reply with 413 and close while the body is still being sent.
    let isAnswered = false;
    sent.on('response', () => (isAnswered = true));
    sent.on('error', (fault) => (isAnswered ? undefined : reject(fault)));
    sent.setTimeout(5_000, () => sent.destroy(new Error(`${method} ${path} was not answered`)));
    sent.end(body);
  });
}
